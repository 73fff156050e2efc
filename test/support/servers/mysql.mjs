// @ts-check
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { freePort, isOnDisk, privateFolder, quickFolder, startProcess } from './server.mjs';

const run = promisify(execFile);

/** Nothing a test writes has to survive a power cut. */
export const FAST = {
  mysql: ['--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync', '--innodb-doublewrite=OFF'],
  mariadb: ['--innodb-flush-log-at-trx-commit=0', '--innodb-flush-method=nosync', '--innodb-doublewrite=OFF'],
};

const OWN = {
  mysql: ['--mysqlx=OFF', '--disable-log-bin', '--performance-schema=OFF', '--innodb-redo-log-capacity=64M'],
  mariadb: ['--skip-log-bin', '--innodb-log-file-size=64M'],
};

/**
 * A MySQL or MariaDB of our own, without any configuration file: so MariaDB starts with its default character
 * set, latin1, which no table of ours may depend on.
 *
 * @param {import('./mysql-installation.mjs').Installation} installation
 * @param {{ durable?: boolean, flags?: string[], within?: string }} [options] `durable` keeps a flush per commit, as a
 * benchmark needs it; `within` is the folder that its own is made in.
 * @returns {Promise<import('./server.mjs').MortalServer>}
 */
export async function startMysql(
  installation,
  { durable = isOnDisk(), flags = [], within = durable ? tmpdir() : quickFolder() } = {},
) {
  const { db, command, args, env } = installation;
  const folder = privateFolder(db, within);
  const port = await freePort();
  const socket = join(folder, 's.sock');
  const common = [...commonFlags(installation), ...foldersIn(folder)];
  await initialise(installation, folder, common);
  const launch = () =>
    startProcess({
      command,
      args: [
        ...args,
        ...common,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${socket}`,
        `--pid-file=${join(folder, 'pid')}`,
        '--max-connections=400',
        '--innodb-buffer-pool-size=128M',
        ...OWN[db],
        ...(durable ? [] : FAST[db]),
        ...flags,
      ],
      env,
      folder,
      // Its files are removed anyway.
      stopSignal: 'SIGKILL',
      probe: () => createAccount(socket),
    });
  let server = await launch();
  const { version } = installation;
  return {
    address: { db, host: '127.0.0.1', port, user: 'app', password: 'app', version, pid: server.pid },
    stop: () => server.stop(),
    crash: async (signal) => {
      await server.end(signal);
      return async () => void (server = await launch());
    },
  };
}

/**
 * MariaDB deletes the temporary tables that it finds when it starts: in a folder that servers share, those of others.
 *
 * @param {string} folder
 */
export const foldersIn = (folder) => [`--datadir=${join(folder, 'data')}`, `--tmpdir=${folder}`];

/** @param {import('./mysql-installation.mjs').Installation} installation */
export function commonFlags({ db, usr }) {
  const places = [
    ['--lc-messages-dir', 'share/mysql'],
    ['--character-sets-dir', 'share/mysql/charsets'],
    ['--plugin-dir', 'lib/mysql/plugin'],
  ];
  const own =
    usr === undefined
      ? []
      : places
          .filter(([, path]) => existsSync(join(usr, String(path))))
          .map(([flag, path]) => `${flag}=${join(usr, String(path))}`);
  const basedir = usr === undefined ? [] : [`--basedir=${usr}`];
  // Running as root has to be asked for by name.
  return [
    '--no-defaults',
    `--user=${userInfo().username}`,
    ...basedir,
    ...own,
    ...(db === 'mysql' ? ['--secure-file-priv=NULL'] : []),
  ];
}

/** What fills an empty MariaDB; its own script for this needs more of an installation than the server. */
const SYSTEM_TABLES = [
  'mysql_system_tables.sql',
  'mysql_performance_tables.sql',
  'mysql_system_tables_data.sql',
  'maria_add_gis_sp_bootstrap.sql',
  'mysql_sys_schema.sql',
];

/** @type {(installation: import('./mysql-installation.mjs').Installation, folder: string, common: string[]) => Promise<void>} */
export async function initialise({ db, command, args, env, usr }, folder, common) {
  if (db === 'mysql')
    return void (await run(command, [...args, ...common, '--initialize-insecure'], { env, cwd: folder }));
  mkdirSync(join(folder, 'data'));
  const places = (usr === undefined ? ['/usr', '/usr/local', '/opt/homebrew'] : [usr]).flatMap((prefix) => [
    join(prefix, 'share/mysql'),
    join(prefix, 'share/mariadb'),
    join(prefix, 'share'),
  ]);
  const share = places.find((place) => existsSync(join(place, 'mysql_system_tables.sql')));
  if (share === undefined) throw new Error(`No mysql_system_tables.sql in ${places.join(', ')}`);
  const bootstrap = run(command, [...args, ...common, '--bootstrap', '--net-buffer-length=16K'], { env, cwd: folder });
  const texts = SYSTEM_TABLES.map((name) => readFileSync(join(share, name), 'utf8'));
  bootstrap.child.stdin?.end(
    ['CREATE DATABASE mysql;', 'USE mysql;', 'SET @auth_root_socket = NULL;', ...texts].join('\n'),
  );
  await bootstrap;
}

/** @param {string} socketPath */
export async function createAccount(socketPath) {
  const connection = await mysql.createConnection({ socketPath, user: 'root' });
  try {
    await connection.query(`CREATE USER IF NOT EXISTS 'app'@'%' IDENTIFIED BY 'app'`);
    await connection.query(`GRANT ALL ON *.* TO 'app'@'%' WITH GRANT OPTION`);
  } finally {
    await connection.end();
  }
}
