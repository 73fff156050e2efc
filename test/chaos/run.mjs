// @ts-check
// npm run test:chaos -- --minutes 10 --seed 7 --database mariadb
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'nest-durable-chaos-'));
const transpile = fileURLToPath(new URL('../support/transpile.mjs', import.meta.url));
const transpiled = spawnSync(process.execPath, [transpile, folder, 'test/chaos', 'test/support/servers'], {
  stdio: 'inherit',
});
if (transpiled.status !== 0) process.exit(1);
const main = [join(folder, 'test/chaos/main.js'), ...process.argv.slice(2)];
const child = spawn(process.execPath, ['--enable-source-maps', ...main], { stdio: 'inherit' });
/** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP']).forEach((signal) =>
  process.on(signal, () => child.kill(signal)),
);
child.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
