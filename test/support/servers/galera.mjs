// @ts-check
import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { installedProgram } from './installed-program.mjs';
import { findInstallation } from './mysql-installation.mjs';
import { commonFlags, createAccount, FAST, initialise } from './mysql.mjs';
import { freePort, privateFolder, startProcess } from './server.mjs';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';

/** What a cluster is made of, or why there is none on this machine. */
export function findGalera() {
  const installation = findInstallation('mariadb');
  if ('reason' in installation) return installation;
  if (installation.usr !== undefined)
    return { reason: 'only a MariaDB of the system brings the scripts for a cluster' };
  if (!existsSync(PROVIDER)) return { reason: `no ${PROVIDER}; install galera-4` };
  const missing = ['rsync', 'wsrep_sst_rsync'].map(installedProgram).find((found) => 'reason' in found);
  return missing && 'reason' in missing ? missing : { installation };
}

/**
 * A Galera cluster of two nodes on this machine, both of which take writes.
 *
 * @param {import('./mysql-installation.mjs').Installation} installation
 * @returns {Promise<{ nodes: import('./server.mjs').ServerAddress[], stop: () => Promise<void> }>}
 */
export async function startGalera(installation) {
  const folders = [privateFolder('galera-1'), privateFolder('galera-2')];
  const account = unprivilegedAccount();
  for (const folder of folders) if (account.uid !== undefined) chownSync(folder, account.uid, account.gid ?? 0);
  const [first, second] = /** @type {[string, string]} */ (folders);
  const groups = [await freePort(), await freePort()];
  const start = (/** @type {number} */ n, /** @type {string[]} */ flags) =>
    startNode(installation, { folder: String(folders[n]), group: Number(groups[n]), account, flags });
  await initialise(installation, first, [...commonFlags(installation), `--datadir=${join(first, 'data')}`]);
  own(first, account);
  // What both have already needs no copy of the whole, which is what takes a cluster its time.
  const seed = await start(0, ['--wsrep-new-cluster', '--wsrep-cluster-address=gcomm://']);
  await createAccount(join(first, 's.sock'));
  await seed.end();
  cpSync(join(first, 'data'), join(second, 'data'), { recursive: true });
  own(second, account);
  const one = await start(0, ['--wsrep-new-cluster', '--wsrep-cluster-address=gcomm://']);
  const two = await start(1, [`--wsrep-cluster-address=gcomm://127.0.0.1:${groups[0]}`]).catch(async (error) => {
    await one.stop();
    throw error;
  });
  return {
    nodes: [one.address, two.address],
    stop: async () => void (await Promise.allSettled([one.stop(), two.stop()])),
  };
}

/** @param {import('./mysql-installation.mjs').Installation} installation @param {{ folder: string, group: number, account: { uid?: number, gid?: number }, flags: string[] }} node */
async function startNode(installation, { folder, group, account, flags }) {
  const { command, args, env, version } = installation;
  const port = await freePort();
  const socket = join(folder, 's.sock');
  const incoming = await freePort();
  const server = await startProcess({
    command,
    args: [
      ...args,
      ...['--no-defaults', `--datadir=${join(folder, 'data')}`, `--socket=${socket}`, `--port=${port}`],
      ...['--bind-address=127.0.0.1', `--pid-file=${join(folder, 'pid')}`, '--max-connections=200'],
      ...['--binlog-format=ROW', '--default-storage-engine=InnoDB', '--innodb-autoinc-lock-mode=2'],
      ...['--innodb-buffer-pool-size=64M', '--innodb-log-file-size=32M', ...FAST.mariadb],
      ...['--wsrep-on=ON', `--wsrep-provider=${PROVIDER}`, '--wsrep-cluster-name=test', '--wsrep-sst-method=rsync'],
      ...[`--wsrep-node-address=127.0.0.1:${group}`, `--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`],
      `--wsrep-provider-options=base_port=${group}; gmcast.listen_addr=tcp://127.0.0.1:${group}; ist.recv_addr=127.0.0.1:${incoming}; gcache.size=16M`,
      ...flags,
    ],
    ...(env && { env }),
    account,
    folder,
    stopSignal: 'SIGTERM',
    probe: () => isReady(socket),
  });
  const address = { db: /** @type {const} */ ('mariadb'), host: '127.0.0.1', port, user: 'app', password: 'app' };
  return { ...server, address: { ...address, version, pid: server.pid } };
}

/** @param {string} socketPath */
async function isReady(socketPath) {
  const connection = await mysql.createConnection({ socketPath, user: 'root' });
  try {
    const [rows] = await connection.query(`SHOW STATUS LIKE 'wsrep_ready'`);
    if (/** @type {{ Value: string }[]} */ (rows)[0]?.Value !== 'ON') throw new Error('not in the cluster yet');
  } finally {
    await connection.end();
  }
}

/** What the copying between nodes needs. @param {string} folder @param {{ uid?: number, gid?: number }} account */
function own(folder, { uid, gid }) {
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
}

/** rsync as root would lose the right to its own files. @returns {{ uid?: number, gid?: number }} */
function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return {};
  const number = (/** @type {string} */ flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}
