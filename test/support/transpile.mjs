// @ts-check
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @type {import('@swc/core').Options} */
const OPTIONS = {
  module: { type: 'es6' },
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
};

/**
 * Writes folders of this project as programs that Node runs, beside a package `nest-durable` made of the sources as they
 * are: within a second, where a build takes twenty, and without touching a `dist` that somebody else is using. Types are
 * not checked: `npm run typecheck` does that.
 *
 * @param {string} folder empty
 * @param {readonly string[]} sources folders, besides `lib`
 */
export async function transpileInto(folder, sources) {
  const exports = {
    '.': './lib/index.js',
    './sql': './lib/sql/index.js',
    './testing': './lib/testing/index.js',
    './conformance': './lib/conformance/index.js',
    './eslint': './lib/eslint/index.js',
    './otel': './lib/otel/index.js',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'nest-durable', type: 'module', exports }));
  // Packages, and the database servers that were unpacked for the tests.
  for (const shared of ['node_modules', '.cache']) symlinkSync(join(ROOT, shared), join(folder, shared));
  const files = ['lib', ...sources].flatMap((source) =>
    readdirSync(join(ROOT, source), { recursive: true, encoding: 'utf8' }).map((file) => join(source, file)),
  );
  await Promise.all(files.filter((file) => ['.ts', '.mjs'].includes(extname(file))).map((file) => put(file, folder)));
}

/** @type {(file: string, folder: string) => Promise<void>} */
async function put(file, folder) {
  const target = join(folder, file);
  mkdirSync(dirname(target), { recursive: true });
  if (file.endsWith('.mjs')) return cpSync(join(ROOT, file), target);
  const { code } = await transformFile(join(ROOT, file), { ...OPTIONS, configFile: false, swcrc: false });
  writeFileSync(target.replace(/\.ts$/, '.js'), code);
}
