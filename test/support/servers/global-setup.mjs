// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { privateFolder } from './server.mjs';

/** Ends the servers of this run; nothing to end when they were there before it. */
export let stopServers = async () => {};

/**
 * Makes sure that `DURABLE_TEST_SERVERS` names a file that says where the servers are. The servers are the children
 * of a process of their own, which ends them when this one is gone, even by SIGKILL.
 */
export default async function globalSetup() {
  if (!process.env['DURABLE_TEST_SERVERS']) process.env['DURABLE_TEST_SERVERS'] = await startServers();
  /** @type {import('./all-servers.mjs').TestServers} */
  const { servers, missing } = JSON.parse(readFileSync(process.env['DURABLE_TEST_SERVERS'], 'utf8'));
  process.stderr.write(
    `\nTested on ${servers.map(({ db, version }) => (version.startsWith('P') ? version : `${db} ${version}`)).join(', ')}\n`,
  );
  for (const { db, reason } of missing) process.stderr.write(`NOT TESTED on ${db}: ${reason}\n`);
  if (missing.length > 0 && process.env['DURABLE_TEST_REQUIRE_ALL'])
    throw new Error('DURABLE_TEST_REQUIRE_ALL asks for all databases');
}

async function startServers() {
  const folder = privateFolder('servers');
  const file = join(folder, 'servers.json');
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('keep.mjs', import.meta.url)), file, '--while-stdin-is-open'],
    {
      // A group of its own: an interrupt from the keyboard must not end the servers under the tests.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  let log = '';
  keeper.stderr.on('data', (text) => (log += text));
  const ended = new Promise((resolve) => keeper.once('exit', resolve));
  stopServers = async () => {
    keeper.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (!existsSync(file)) {
    if (keeper.exitCode !== null) throw new Error(`The test servers did not start:\n${log}`);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  return file;
}
