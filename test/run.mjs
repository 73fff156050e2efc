// @ts-check
// Compiles, and runs Jest on what was compiled.
//   npm test [-- test/unit/core -t title]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildArgv } from 'jest';
import { compile } from './compile.mjs';
import { ROOT } from './support/root.mjs';

// A copy of the checkout has the page that was built there.
const BUILD_PAGE = join(ROOT, 'page/build.mjs');
const page = existsSync(BUILD_PAGE)
  ? spawnSync(process.execPath, [BUILD_PAGE], { cwd: ROOT, stdio: 'inherit' }).status
  : 0;
if (page !== 0) process.exit(1);
await compile();
const words = process.argv.slice(2);
const { _: patterns } = await buildArgv(words);
const asked = words.map((word, n) =>
  patterns.map(String).includes(word) && words[n - 1] !== '-t' ? patternOf(word) : word,
);
const jest = ['--enable-source-maps', 'node_modules/jest/bin/jest.js', ...asked];
process.exitCode = spawnSync(process.execPath, jest, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;

/**
 * A suite is asked for by its source, and Jest looks for what was compiled of it: also in the path of the whole checkout,
 * which may have the same word, unless the pattern refuses what begins at the root.
 *
 * @param {string} word
 */
function patternOf(word) {
  const source = word.replace(/\.ts$/, '.js').replace(/^\.\//, '^');
  return `^(?!/).*(?:${source})`;
}
