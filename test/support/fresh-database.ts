import { setTimeout } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { type DatabaseName, type ServerAddress, serverOf } from './test-servers.js';

export type Row = Record<string, unknown>;

/** A database of its own on a test server, looked at through a plain driver: a witness that owes nothing to our code. */
export interface FreshDatabase {
  db: DatabaseName;
  /** `postgres://…`, `mysql://…`, `mariadb://…`. */
  url: string;
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Values are `?` on every database; a literal question mark cannot be written. */
  query<R extends Row = Row>(text: string, values?: unknown[]): Promise<R[]>;
  /** Several statements at once, without values. */
  script(text: string): Promise<void>;
  /** Drops the database, whoever is still connected. */
  close(): Promise<void>;
}

interface DatabaseOptions {
  /** PostgreSQL: texts are sorted as in this language, such as `en-US`. Default: as the server does, by their bytes. */
  locale?: string;
}

/** On the server of this run, unless another is given. */
export async function createDatabase(
  db: DatabaseName,
  server = serverOf(db),
  { locale }: DatabaseOptions = {},
): Promise<FreshDatabase> {
  const { host, port, user, password } = server;
  const database = `test_${randomBytes(6).toString('hex')}`;
  const own = await (db === 'postgres' ? freshPostgres(server, database, locale) : freshMysql(server, database));
  return {
    db,
    url: `${db}://${user}:${password}@${host}:${port}/${database}`,
    host,
    port,
    user,
    password,
    database,
    ...own,
  };
}

type Own = Pick<FreshDatabase, 'query' | 'script' | 'close'>;

async function freshPostgres(
  { host, port, user, password }: ServerAddress,
  database: string,
  locale?: string,
): Promise<Own> {
  const as = (name: string) =>
    new pg.Pool({ host, port, user, password, database: name, max: 2, allowExitOnIdle: true });
  const onServer = async (text: string) => {
    const pool = as('postgres');
    try {
      await pool.query(text);
    } finally {
      await pool.end();
    }
  };
  const sorted = locale ? ` TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '${locale}'` : '';
  await onServer(`CREATE DATABASE ${database}${sorted}`);
  const pool = as(database);
  // Its connections may be killed by the test.
  pool.on('error', () => {});
  const numbered = (text: string) => {
    let position = 0;
    return text.replaceAll('?', () => `$${++position}`);
  };
  return {
    query: async <R extends Row>(text: string, values: unknown[] = []) =>
      (await pool.query<R>(numbered(text), values)).rows,
    script: async (text) => void (await pool.query(text)),
    close: async () => {
      await pool.end();
      await onServer(`DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

/** Others run statements with emojis for moments, which the lists of sessions and transactions of MySQL cannot hold. */
async function onceListable<T>(ask: () => Promise<T>): Promise<T> {
  for (let n = 0; ; n++) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { errno?: number }).errno !== 3854 || n > 100) throw error;
      await setTimeout(20);
    }
  }
}

async function freshMysql({ host, port, user, password }: ServerAddress, database: string): Promise<Own> {
  const pool = mysql.createPool({ host, port, user, password, connectionLimit: 2, multipleStatements: true });
  await pool.query(`CREATE DATABASE ${database}`);
  await pool.end();
  const own = mysql.createPool({ host, port, user, password, database, connectionLimit: 2, multipleStatements: true });
  return {
    query: async <R extends Row>(text: string, values: unknown[] = []) => {
      const [rows] = await onceListable(() => own.query(text, values));
      return (Array.isArray(rows) ? rows : []) as R[];
    },
    script: async (text) => void (await own.query(text)),
    close: async () => {
      await own.query(`DROP DATABASE ${database}`);
      await own.end();
    },
  };
}
