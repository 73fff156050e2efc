// @ts-check
// Compiles lib, test, sample, bench and page into `.cache/tests`, where Node loads each module once, without a
// transformer. Types are not checked: `npm run typecheck` does that.
//   node test/compile.mjs
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { COMPILED, ROOT } from './support/root.mjs';

const FOLDERS = ['lib', 'test', 'sample', 'bench', 'page'];
/** Apps with packages of their own, and what these have built. */
const LEFT_OUT = /(^|\/)(node_modules|dist|test\/full\/stacks\/apps)(\/|$)/;
/** By another process that compiles at this moment. */
const HALF_WRITTEN = /\.\d+$/;
const SPEC = /\.spec\.ts$/;

/** @type {import('@swc/core').Options} */
const OPTIONS = {
  configFile: false,
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
};

/** Runs once all tests of a file are known: after them it looks at what they have left behind. */
const LAST_WORD = `
import { lastWord } from ${JSON.stringify(join(COMPILED, 'test/support/last-word.js'))};
lastWord();
`;

/** Writes what is new or has changed, and removes what is gone: others may be running what is there. */
export async function compile() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length)),
  ).filter((file) => !LEFT_OUT.test(file));
  const written = new Set(await Promise.all(files.map(put)));
  for (const folder of FOLDERS.filter((name) => existsSync(join(COMPILED, name))))
    for (const { parentPath, name } of readdirSync(join(COMPILED, folder), {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile())) {
      const target = join(parentPath, name);
      if (!written.has(target) && !HALF_WRITTEN.test(name)) rmSync(target, { force: true });
    }
  replace(join(COMPILED, 'package.json'), packageJson());
}

/** @type {(file: string) => Promise<string>} the path of what was written */
async function put(file) {
  const source = join(ROOT, file);
  const isCode = file.endsWith('.ts') && !file.endsWith('.d.ts');
  const target = join(COMPILED, isCode ? file.replace(/\.ts$/, '.js') : file);
  if (!isCode) return replace(target, readFileSync(source));
  const text = readFileSync(source, 'utf8') + (SPEC.test(file) ? LAST_WORD : '');
  return replace(target, (await transform(text, { ...OPTIONS, filename: source, sourceFileName: source })).code);
}

/** @type {(target: string, content: string | Buffer) => string} */
function replace(target, content) {
  if (existsSync(target) && readFileSync(target).equals(Buffer.from(content))) return target;
  mkdirSync(dirname(target), { recursive: true });
  // Renamed, so that nobody loads half of it.
  writeFileSync(`${target}.${process.pid}`, content);
  renameSync(`${target}.${process.pid}`, target);
  return target;
}

/** So that `nest-durable` is what is compiled here. */
function packageJson() {
  /** @type {{ version: string, exports: Record<string, unknown> }} */
  const { version, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const doors = Object.keys(exports).filter((door) => !door.endsWith('.json'));
  const compiled = (/** @type {string} */ door) => `./lib${door.slice(1)}/index.js`;
  return JSON.stringify({
    name: 'nest-durable',
    version,
    type: 'module',
    exports: { ...Object.fromEntries(doors.map((door) => [door, compiled(door)])), './package.json': './package.json' },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compile();
