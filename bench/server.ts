import mysql from 'mysql2/promise';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrate } from '../lib/sql/migrations/migrator.js';
import { tablesWithPrefix } from '../lib/sql/tables.js';
import { typeOrmExecutor } from '../lib/sql/typeorm.js';
import { startMysql } from '../test/support/servers/mysql.mjs';
import { findInstallation } from '../test/support/servers/mysql-installation.mjs';
import { startPostgres } from '../test/support/servers/postgres.mjs';
import type { MortalServer } from '../test/support/servers/server.mjs';
import { dataSourceOptions } from './transport/storage.js';

export type DatabaseName = 'postgres' | 'mysql' | 'mariadb';

/** A database on a server of the benchmark's own. */
export interface Address {
  db: DatabaseName;
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface Server {
  version: string;
  /** Of its first process, which has started all others. */
  pid: number;
  /** A new database with our tables in it. */
  database(name: string): Promise<Address>;
  /** A new one for others, with nothing in it. */
  emptyDatabase(name: string): Promise<Address>;
  stop(): Promise<void>;
}

const STATISTICS = ['-c', 'shared_preload_libraries=pg_stat_statements', '-c', 'pg_stat_statements.track=top'];

/** Memory and log of equal size. */
const ROOM = {
  postgres: ['-c', 'shared_buffers=256MB', '-c', 'max_wal_size=1GB'],
  mysql: ['--innodb-buffer-pool-size=256M', '--innodb-redo-log-capacity=1G'],
  mariadb: ['--innodb-buffer-pool-size=256M', '--innodb-log-file-size=1G'],
} as const satisfies Record<DatabaseName, readonly string[]>;

/**
 * A server that flushes every commit. `bin`: the folder of another PostgreSQL's binaries, which then has its default
 * settings.
 *
 * @throws with the reason when this machine has none.
 */
export const startServer = async (db: DatabaseName, bin?: string): Promise<Server> =>
  serverOf(
    db,
    await (db === 'postgres'
      ? startPostgres({
          durable: true,
          // As many connections as the processes of a benchmark may have.
          flags: [...STATISTICS, ...(bin ? ['-c', 'max_connections=400'] : ROOM.postgres)],
          ...(bin && { bin }),
        })
      : startMysql(installed(db), { durable: true, flags: [...ROOM[db]] })),
  );

/** A server with 1 GB of memory that flushes nothing: for what is only read. @throws as {@link startServer} */
export const startReadServer = async (db: DatabaseName): Promise<Server> =>
  serverOf(
    db,
    await (db === 'postgres'
      ? startPostgres({ flags: [...STATISTICS, '-c', 'max_wal_size=4GB', '-c', 'shared_buffers=1GB'] })
      : startMysql(installed(db), { flags: ['--innodb-buffer-pool-size=1G', '--innodb-log-file-size=512M'] })),
  );

function serverOf(db: DatabaseName, { address, stop }: MortalServer): Server {
  const emptyDatabase = async (name: string): Promise<Address> => {
    const { host, port, user, password } = address;
    const own = { db, host, port, user, password, database: name };
    await createDatabase(own);
    return own;
  };
  const database = async (name: string): Promise<Address> => {
    const own = await emptyDatabase(name);
    const dataSource = await new DataSource(dataSourceOptions(own)).initialize();
    await migrate(typeOrmExecutor(dataSource), tablesWithPrefix('durable'));
    await dataSource.destroy();
    return own;
  };
  return { version: address.version, pid: address.pid, database, emptyDatabase, stop };
}

function installed(db: 'mysql' | 'mariadb') {
  const installation = findInstallation(db);
  if ('reason' in installation) throw new Error(installation.reason);
  return installation;
}

async function createDatabase({ db, database, ...to }: Address): Promise<void> {
  if (db !== 'postgres') {
    const connection = await mysql.createConnection(to);
    await connection.query(`CREATE DATABASE ${database}`);
    return connection.end();
  }
  await onPostgres({ db, ...to, database: 'postgres' }, (client) => client.query(`CREATE DATABASE ${database}`));
  await onPostgres({ db, ...to, database }, (client) => client.query('CREATE EXTENSION pg_stat_statements'));
}

export async function onPostgres<T>(
  { host, port, user, password, database }: Address,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ host, port, user, password, database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What is left in it would be vacuumed while others are measured. */
export async function dropDatabase({ db, database, ...to }: Address): Promise<void> {
  if (db === 'postgres')
    return onPostgres({ db, ...to, database: 'postgres' }, (client) =>
      client.query(`DROP DATABASE ${database} WITH (FORCE)`),
    ).then(() => undefined);
  const connection = await mysql.createConnection(to);
  await connection.query(`DROP DATABASE ${database}`);
  await connection.end();
}

/** The same beginning for every round: nothing left to clean up, and nothing to write out. */
export async function tidy(address: Address): Promise<void> {
  if (address.db !== 'postgres') return;
  await onPostgres(address, async (client) => {
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}
