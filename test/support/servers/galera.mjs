// @ts-check
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { commonFlags, createAccount, FAST, foldersIn, initialise } from './mysql.mjs';
import { freePort, privateFolder, startProcess } from './server.mjs';

/**
 * A Galera cluster of two nodes on this machine, both of which take writes.
 *
 * @param {import('./galera-installation.mjs').GaleraInstallation} galera
 * @returns {Promise<{ nodes: import('./server.mjs').ServerAddress[], stop: () => Promise<void> }>}
 */
export async function startGalera(galera) {
  const { installation } = galera;
  const [first, second] = [privateFolder('galera-1'), privateFolder('galera-2')];
  const groups = [await freePort(), await freePort()];
  const start = (/** @type {number} */ n, /** @type {string[]} */ flags) =>
    startNode(galera, { folder: n === 0 ? first : second, group: Number(groups[n]), flags });
  await initialise(installation, first, [...commonFlags(installation), ...foldersIn(first)]);
  const seed = await start(0, ['--wsrep-new-cluster', '--wsrep-cluster-address=gcomm://']);
  await createAccount(join(first, 's.sock'));
  await seed.end();
  cpSync(join(first, 'data'), join(second, 'data'), { recursive: true });
  foreseeStart(join(second, 'data/grastate.dat'));
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

/** @param {import('./galera-installation.mjs').GaleraInstallation} galera @param {{ folder: string, group: number, flags: string[] }} node */
async function startNode({ installation, provider }, { folder, group, flags }) {
  const { command, args, env, version } = installation;
  const port = await freePort();
  const socket = join(folder, 's.sock');
  const options = {
    command,
    args: [
      ...args,
      ...commonFlags(installation),
      ...foldersIn(folder),
      ...[`--socket=${socket}`, `--port=${port}`],
      ...['--bind-address=127.0.0.1', `--pid-file=${join(folder, 'pid')}`, '--max-connections=200'],
      ...['--binlog-format=ROW', '--default-storage-engine=InnoDB', '--innodb-autoinc-lock-mode=2'],
      ...['--innodb-buffer-pool-size=64M', '--innodb-log-file-size=32M', ...FAST.mariadb],
      ...['--wsrep-on=ON', `--wsrep-provider=${provider}`, '--wsrep-cluster-name=test', '--wsrep-sst-method=skip'],
      `--wsrep-node-address=127.0.0.1:${group}`,
      `--wsrep-provider-options=base_port=${group}; gmcast.listen_addr=tcp://127.0.0.1:${group}; ist.recv_addr=127.0.0.1:${await freePort()}; gcache.size=16M`,
      ...flags,
    ],
    ...(env && { env }),
    folder,
    stopSignal: /** @type {const} */ ('SIGTERM'),
    probe: () => isReady(socket),
  };
  // Seen once in some thousand starts: MariaDB 10.11 joins its cluster, and never comes to take connections.
  const hangs = (/** @type {Error} */ error) => error.message.includes('does not answer');
  const server = await startProcess({ ...options, startupMs: 30_000, leavesFolder: true }).catch((error) => {
    if (hangs(error)) return startProcess(options);
    throw error;
  });
  const address = { db: /** @type {const} */ ('mariadb'), host: '127.0.0.1', port, user: 'app', password: 'app' };
  return { ...server, address: { ...address, version, pid: server.pid } };
}

/**
 * Of two nodes with the same files the first one counts on by its start, which changes nothing else. The second may join
 * without a state transfer where it has counted that too: so no program is needed that copies from node to node.
 *
 * @param {string} file
 */
function foreseeStart(file) {
  const state = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    state.replace(/(?<=^seqno: +)\d+/m, (seqno) => String(Number(seqno) + 1)),
  );
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
