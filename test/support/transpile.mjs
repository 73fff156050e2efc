// @ts-check
//   node test/support/transpile.mjs folder [sources …]
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @type {import('@swc/core').Options} */
const OPTIONS = {
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
  configFile: false,
  swcrc: false,
};

const PUBLIC = ['index', 'sql/index', 'testing/index', 'conformance/index', 'eslint/index', 'otel/index'];
const COMMAND = 'admin/cli/main';

/**
 * Writes folders of this project as programs that Node runs, beside a package `nest-durable` made of the sources as they
 * are: within seconds, where a build takes twenty, and without touching a `dist` that somebody else is using. Types are
 * not checked: `npm run typecheck` does that.
 *
 * @param {string} folder empty
 * @param {readonly string[]} sources folders, besides `lib`
 */
export async function transpileInto(folder, sources) {
  const exports = Object.fromEntries(PUBLIC.map((path) => [`./${path}`.replace(/\/index$/, ''), `./lib/${path}.js`]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'nest-durable', type: 'module', exports }));
  // Packages, and the database servers that were unpacked for the tests.
  for (const shared of ['node_modules', '.cache']) symlinkSync(join(ROOT, shared), join(folder, shared));
  const files = sources
    .flatMap((source) =>
      readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' }).map((file) => join(source, file)),
    )
    .filter((file) => ['.ts', '.mjs'].includes(extname(file)));
  await Promise.all(files.map((file) => put(file, folder)));
  await bundleLib(join(folder, 'lib'), [...PUBLIC, COMMAND, ...files.flatMap(ofLib)]);
}

/** @type {(file: string, folder: string) => Promise<void>} */
async function put(file, folder) {
  const target = join(folder, file);
  mkdirSync(dirname(target), { recursive: true });
  if (file.endsWith('.mjs')) return cpSync(join(ROOT, file), target);
  const source = readFileSync(join(ROOT, file), 'utf8');
  const { code } = await transform(source, { ...OPTIONS, sourceMaps: 'inline', filename: join(ROOT, file) });
  writeFileSync(target.replace(/\.ts$/, '.js'), code);
}

/** What this file imports of `lib` by its path. @type {(file: string) => string[]} */
const ofLib = (file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/ from '(\.[^']+)\.js'/g)]
    .map(([, path = '']) => relative('lib', join(dirname(file), path)))
    .filter((path) => !path.startsWith('.'));

/**
 * A few files for hundreds: each process of a test that finds and reads all of these computes a second longer. What is
 * imported keeps its path.
 *
 * @type {(folder: string, paths: readonly string[]) => Promise<unknown>}
 */
const bundleLib = (folder, paths) =>
  build({
    root: join(ROOT, 'lib'),
    configFile: false,
    logLevel: 'warn',
    oxc: false,
    plugins: [
      {
        name: 'as-the-tests',
        enforce: 'pre',
        transform: {
          filter: { id: /\.ts$/ },
          handler: (code, id) => transform(code, { ...OPTIONS, sourceMaps: true, filename: id }),
        },
      },
    ],
    build: {
      ssr: true,
      target: 'esnext',
      outDir: folder,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(paths.map((path) => [path, join(ROOT, 'lib', `${path}.ts`)])),
        external: (id) => !id.startsWith('.') && !id.startsWith('/'),
        treeshake: false,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });

const [, program, folder, ...sources] = process.argv;
if (program === fileURLToPath(import.meta.url) && folder) await transpileInto(folder, sources);
