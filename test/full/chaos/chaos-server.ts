import mysql from 'mysql2/promise';
import pg from 'pg';
import { startMysql } from '../../support/servers/mysql.mjs';
import { findInstallation } from '../../support/servers/mysql-installation.mjs';
import { startPostgres } from '../../support/servers/postgres.mjs';
import type { MortalServer, ServerAddress } from '../../support/servers/server.mjs';
import type { DatabaseName } from './chaos-arguments.js';
import { SmallDisk } from './small-disk.js';

export type Row = Record<string, unknown>;

/** The database of the app, and its account, which is no administrator. */
export const APP = { user: 'chaos', password: 'chaos', database: 'chaos' };

const APP_TABLES = [
  'CREATE TABLE chaos_rows (position SERIAL_KEY, run_id varchar(191), label varchar(191), exec varchar(64))',
  'CREATE TABLE chaos_orders (id varchar(191) NOT NULL PRIMARY KEY)',
  'CREATE TABLE chaos_counters (channel varchar(191) NOT NULL PRIMARY KEY, n bigint NOT NULL)',
  'CREATE TABLE chaos_seen (position SERIAL_KEY, channel varchar(191), number bigint, mark varchar(191), n bigint)',
  'CREATE TABLE chaos_done (position SERIAL_KEY, subject varchar(191))',
];

const SERIAL_KEYS = {
  postgres: 'bigserial PRIMARY KEY',
  mysql: 'bigint NOT NULL AUTO_INCREMENT PRIMARY KEY',
  mariadb: 'bigint NOT NULL AUTO_INCREMENT PRIMARY KEY',
};

/** Few enough for a fault to take them all. */
const MOST_CONNECTIONS = 60;

/** What is committed survives the end of the process, though not that of the machine. */
const POSTGRES = ['synchronous_commit=on', `max_connections=${MOST_CONNECTIONS}`, 'max_wal_size=128MB'].flatMap(
  (set) => ['-c', set],
);
const MYSQL = ['--innodb-flush-log-at-trx-commit=2', `--max-connections=${MOST_CONNECTIONS}`];

/** A server of the suite's own, looked at by connections of their own that owe nothing to the code under test. */
export class ChaosServer {
  private constructor(
    readonly db: DatabaseName,
    private readonly server: MortalServer,
    /** Its files are on it. */
    readonly disk: SmallDisk,
  ) {}

  /** With an empty database for the app. @throws Error with the reason when this machine has none. */
  static async start(db: DatabaseName, channels: readonly string[]): Promise<ChaosServer> {
    const disk = SmallDisk.mount();
    const server = await startedServer(db, disk.folder).catch((error: unknown) => {
      disk.unmount();
      throw error;
    });
    const started = new ChaosServer(db, server, disk);
    try {
      await started.makeDatabase(channels);
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  get address(): ServerAddress {
    return this.server.address;
  }

  /** As an administrator, in the app's database. `?` stands for a value on every database. */
  async query<R extends Row = Row>(text: string, values: unknown[] = []): Promise<R[]> {
    const connection = await this.connect('admin');
    try {
      return await connection.query<R>(text, values);
    } finally {
      await connection.end();
    }
  }

  async connect(as: 'admin' | 'app'): Promise<Witness> {
    const { user, password } = as === 'app' ? APP : this.server.address;
    return this.open({ user, password, database: APP.database });
  }

  private open(as: Pick<To, 'user' | 'password' | 'database'>): Promise<Witness> {
    const { host, port } = this.server.address;
    const to = { host, port, ...as };
    return this.db === 'postgres' ? postgresWitness(to) : mysqlWitness(to);
  }

  private async makeDatabase(channels: readonly string[]): Promise<void> {
    const { user, password } = this.server.address;
    const system = await this.open({ user, password, database: this.db === 'postgres' ? 'postgres' : 'mysql' });
    const account =
      this.db === 'postgres'
        ? [`CREATE ROLE chaos LOGIN PASSWORD 'chaos'`, 'CREATE DATABASE chaos OWNER chaos']
        : [
            'CREATE DATABASE chaos',
            `CREATE USER 'chaos'@'%' IDENTIFIED BY 'chaos'`,
            `GRANT ALL ON chaos.* TO 'chaos'@'%'`,
          ];
    for (const text of account) await system.query(text);
    await system.end();
    const app = await this.connect('app');
    for (const text of APP_TABLES) await app.query(text.replace('SERIAL_KEY', SERIAL_KEYS[this.db]));
    for (const channel of channels) await app.query('INSERT INTO chaos_counters VALUES (?, 0)', [channel]);
    await app.end();
  }

  /** `fast` lets it tidy up; `crash` does not. Returns what starts it again. */
  end(how: 'fast' | 'crash'): Promise<() => Promise<void>> {
    if (this.db === 'postgres') return this.server.crash(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    return this.server.crash(how === 'fast' ? 'SIGTERM' : 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.server.stop();
    this.disk.unmount();
  }
}

/** One connection. */
export interface Witness {
  query<R extends Row = Row>(text: string, values?: unknown[]): Promise<R[]>;
  end(): Promise<void>;
}

interface To {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

async function startedServer(db: DatabaseName, folder: string | undefined): Promise<MortalServer> {
  const within = folder === undefined ? {} : { within: folder };
  if (db === 'postgres') return startPostgres({ flags: POSTGRES, ...within });
  const installation = findInstallation(db);
  if ('reason' in installation) throw new Error(installation.reason);
  return startMysql(installation, { flags: MYSQL, ...within });
}

async function postgresWitness(to: To): Promise<Witness> {
  const client = new pg.Client({ ...to, connectionTimeoutMillis: 5_000 });
  // The server may go away while nothing is asked.
  client.on('error', () => undefined);
  await client.connect();
  const numbered = (text: string) => {
    let position = 0;
    return text.replaceAll('?', () => `$${++position}`);
  };
  return {
    query: async <R extends Row>(text: string, values: unknown[] = []) =>
      (await client.query<R>(numbered(text), values)).rows,
    end: () => client.end().catch(() => undefined),
  };
}

async function mysqlWitness(to: To): Promise<Witness> {
  const connection = await mysql.createConnection({ ...to, connectTimeout: 5_000 });
  connection.on('error', () => undefined);
  return {
    query: async <R extends Row>(text: string, values: unknown[] = []) => {
      const [rows] = await connection.query(text, values);
      return (Array.isArray(rows) ? rows : []) as R[];
    },
    end: () => connection.end().catch(() => undefined),
  };
}
