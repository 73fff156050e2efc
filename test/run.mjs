// @ts-check
// Compiles, and runs Jest on what was compiled.
//   npm test [-- test/unit/core -t title]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.mjs';
import { ROOT } from './support/root.mjs';

// A copy of the checkout has the page that was built there.
const BUILD_PAGE = join(ROOT, 'page/build.mjs');
const page = existsSync(BUILD_PAGE)
  ? spawnSync(process.execPath, [BUILD_PAGE], { cwd: ROOT, stdio: 'inherit' }).status
  : 0;
if (page !== 0) process.exit(1);
await compile();
// A suite is asked for by its source, and Jest looks for what was compiled of it.
const asked = process.argv.slice(2).map((word) => word.replace(/\.ts$/, '.js'));
const jest = ['--enable-source-maps', 'node_modules/jest/bin/jest.js', ...asked];
process.exitCode = spawnSync(process.execPath, jest, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
