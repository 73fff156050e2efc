// @ts-check
// Bundles what `tsc` wrote to .cache/build into `dist` (ESM) and `dist/cjs` (CommonJS).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { coreSource, fileOf, isCore } from './core.mjs';
import { inLines } from './in-lines.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const COMPILED = join(ROOT, '.cache/build');
const ESM = join(ROOT, 'dist');
const CJS = join(ESM, 'cjs');

const ENTRIES = {
  index: 'index',
  sql: 'sql/index',
  testing: 'testing/index',
  conformance: 'conformance/index',
  dashboard: 'dashboard/index',
  eslint: 'eslint/index',
  terminus: 'terminus/index',
  otel: 'otel/index',
};
const CLI = { cli: 'cli/main' };

/** What several entries need beside the core. */
const SHARED = /\/build\/(nest|durable\.module)\b/;

/** The helpers of decorators look for others of their kind in `this`; types that nobody has to name are in `nest`. */
const EXPECTED = ['THIS_IS_UNDEFINED', 'PLUGIN_WARNING'];

/** @typedef {'.js' | '.d.ts'} Kind */

/** @type {(entries: Record<string, string>, kind: Kind) => Record<string, string>} */
const filesOf = (entries, kind) =>
  Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(COMPILED, path + kind)]));

/** Sends imports of the core to its bundle. @type {(core: string) => import('rollup').Plugin} */
const coreAt = (core) => ({
  name: 'core',
  resolveId: {
    order: 'pre',
    handler(to, from) {
      if (from === undefined || !to.startsWith('.')) return null;
      return !isCore(COMPILED, from) && isCore(COMPILED, fileOf(from, to)) ? { id: core, external: true } : null;
    },
  },
});

/** @type {import('rollup').Plugin} */
const densely = {
  name: 'densely',
  renderChunk(code, _chunk, { format }) {
    const renamed = /\bclass \w+\$\d+/.exec(code)?.[0];
    if (renamed) throw new Error(`Two modules have a ${renamed}: rename one of them, as logs and errors show the name`);
    return inLines(code, format === 'es');
  },
};

/** @type {import('rollup').Plugin} */
const declared = {
  name: 'declared',
  renderChunk: (code) => code.replaceAll(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2)),
};

/**
 * Writes a file for each entry, and `nest` for what several of them share. Returns the names that each file exports.
 *
 * @param {Record<string, string>} input
 * @param {Kind} kind
 * @param {'es' | 'cjs'} format
 * @param {string} [core]
 */
async function bundle(input, kind, format, core) {
  const declares = kind === '.d.ts';
  const built = await rollup({
    input,
    external(id) {
      if (!core && id.startsWith('@nestjs/')) throw new Error(`The core imports ${id}`);
      return !id.startsWith('.') && !isAbsolute(id);
    },
    plugins: [core ? coreAt(core) : [], declares ? [dts(), declared] : densely],
    treeshake: { moduleSideEffects: 'no-external' },
    onLog(level, { code, message }) {
      if (level === 'warn' && !EXPECTED.includes(String(code))) throw new Error(`${code}: ${message}`);
    },
  });
  const { output } = await built.write({
    dir: format === 'es' ? ESM : CJS,
    format: declares ? 'es' : format,
    esModule: true,
    dynamicImportInCjs: false,
    externalLiveBindings: false,
    generatedCode: 'es2015',
    minifyInternalExports: false,
    entryFileNames: `[name]${kind}`,
    chunkFileNames: `[name]${kind}`,
    manualChunks: (id) => (SHARED.test(id) ? 'nest' : undefined),
  });
  return Object.fromEntries(output.flatMap((file) => (file.type === 'chunk' ? [[file.name, file.exports]] : [])));
}

/** Node searches all of a CommonJS file for its names when a module imports it: 0.1 s for the core. @type {(names: string[]) => string} */
const namedIn = (names) =>
  ["const core = require('./core.js');", ...names.map((name) => `exports.${name} = core.${name};`), ''].join('\n');

/** @type {(kind: Kind) => Promise<void>} */
async function bundleAll(kind) {
  const { conformance = '', ...entries } = filesOf(ENTRIES, kind);
  const cli = kind === '.js' ? filesOf(CLI, kind) : {};
  const core = join(COMPILED, `core${kind}`);
  writeFileSync(core, coreSource(COMPILED, [...Object.values({ ...entries, ...cli }), conformance]));
  const { core: names = [] } = await bundle({ core }, kind, 'cjs');
  if (kind === '.js') writeFileSync(join(CJS, 'core-names.js'), namedIn(names));
  const { conformance: suites = [] } = await bundle({ ...entries, conformance }, kind, 'cjs', './core.js');
  await bundle({ ...entries, ...cli }, kind, 'es', kind === '.js' ? './cjs/core-names.js' : './cjs/core.js');
  writeFileSync(join(ESM, `conformance${kind}`), `export { ${suites.join(', ')} } from './cjs/conformance.js';\n`);
}

rmSync(ESM, { recursive: true, force: true });
mkdirSync(CJS, { recursive: true });
writeFileSync(join(CJS, 'package.json'), '{ "type": "commonjs" }\n');
await bundleAll('.js');
await bundleAll('.d.ts');
