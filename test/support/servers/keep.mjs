// @ts-check
// Starts the test servers, writes where they are into a file and keeps them until it is told to end by SIGINT or
// SIGTERM, or, with --while-stdin-is-open, until the process that started it is gone, however it went.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startAllServers } from './all-servers.mjs';

const [file = '.cache/test-servers.json', mode] = process.argv.slice(2);

/** @type {Promise<void>} */
const told = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
  if (mode === '--while-stdin-is-open')
    process.stdin
      .on('end', resolve)
      .on('error', () => resolve())
      .resume();
});

const { stop, ...servers } = await startAllServers();
mkdirSync(dirname(file), { recursive: true });
// Renamed, so that who waits for the file never reads half of it.
writeFileSync(`${file}.new`, JSON.stringify(servers, null, 2));
renameSync(`${file}.new`, file);
for (const { db, version, host, port } of servers.servers) console.log(`${db}: ${version} on ${host}:${port}`);
for (const { db, reason } of servers.missing) console.log(`${db}: not tested, ${reason}`);
await told;
await stop();
// Who asked for the servers by the pipe made a folder for the file.
rmSync(mode ? dirname(file) : file, { recursive: true, force: true });
process.exit(0);
