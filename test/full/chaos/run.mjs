// @ts-check
// npm run test:chaos -- --minutes 10 --seed 7 --database mariadb
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compile } from '../../compile.mjs';
import { COMPILED } from '../../support/root.mjs';

await compile();
const main = [join(COMPILED, 'test/full/chaos/main.js'), ...process.argv.slice(2)];
const child = spawn(process.execPath, ['--enable-source-maps', ...main], { stdio: 'inherit' });
/** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP']).forEach((signal) =>
  process.on(signal, () => child.kill(signal)),
);
child.on('exit', (code) => process.exit(code ?? 1));
