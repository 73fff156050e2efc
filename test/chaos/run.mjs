// @ts-check
// npm run test:chaos -- --minutes 10 --seed 7 --database mariadb
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transpileInto } from '../support/transpile.mjs';

const folder = mkdtempSync(join(tmpdir(), 'nest-durable-chaos-'));
await transpileInto(folder, ['test/chaos', 'test/support/servers']);
const main = [join(folder, 'test/chaos/main.js'), ...process.argv.slice(2)];
const child = spawn(process.execPath, ['--enable-source-maps', ...main], { stdio: 'inherit' });
/** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP']).forEach((signal) =>
  process.on(signal, () => child.kill(signal)),
);
child.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
