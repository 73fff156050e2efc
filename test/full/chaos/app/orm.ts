import { setTimeout as pause } from 'node:timers/promises';
import { MikroORM, type Options } from '@mikro-orm/core';
import { MariaDbDriver } from '@mikro-orm/mariadb';
import { MySqlDriver } from '@mikro-orm/mysql';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { mikroOrmExecutor, type SqlExecutor, typeOrmExecutor } from 'nest-durable';
import { DataSource, type EntityManager } from 'typeorm';
import type { OrmName } from '../chaos-arguments.js';

export interface OrmOptions {
  orm: OrmName;
  db: 'postgres' | 'mysql' | 'mariadb';
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  pool: number;
}

interface MikroManager {
  execute(text: string, values: unknown[]): Promise<unknown>;
  fork(): MikroManager;
  transactional<T>(work: (em: MikroManager) => Promise<T>): Promise<T>;
}

/** The app's ORM. */
export interface Orm {
  executor: SqlExecutor;
  /** `?` stands for a value. `handle` is what `ctx.transaction`, a consumer or {@link transaction} was given. */
  write(handle: unknown, text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  transaction<T>(work: (handle: unknown) => Promise<T>): Promise<T>;
  /** Takes a connection of the pool, begins a transaction in it, and gives it back as it is. */
  leakTransaction(): Promise<void>;
  /** Has transactions open on all connections of the pool. */
  holdAll(ms: number): Promise<void>;
  close(): Promise<void>;
}

let opened: Orm | undefined;

/** The one of this process. */
export function orm(): Orm {
  if (opened) return opened;
  throw new Error('The ORM is not open yet');
}

export const openOrm = async (options: OrmOptions): Promise<Orm> =>
  (opened = await (options.orm === 'typeorm' ? openTypeOrm(options) : openMikroOrm(options)));

const holding = (transaction: Orm['transaction'], pool: number) => async (ms: number) => {
  await Promise.all(Array.from({ length: pool }, () => transaction(() => pause(ms))));
};

async function openTypeOrm({ db, host, port, user, password, database, pool }: OrmOptions): Promise<Orm> {
  const to = { type: db, host, port, username: user, password, database, poolSize: pool };
  const source = await new DataSource(to).initialize();
  const numbered = (text: string) => {
    let position = 0;
    return db === 'postgres' ? text.replaceAll('?', () => `$${++position}`) : text;
  };
  const transaction: Orm['transaction'] = (work) => source.transaction((tx) => work(tx));
  return {
    executor: typeOrmExecutor(source),
    write: async (handle, text, values = []) => {
      const answer: unknown = await (handle as EntityManager).query(numbered(text), values);
      return Array.isArray(answer) ? (answer as Record<string, unknown>[]) : [];
    },
    transaction,
    holdAll: holding(transaction, pool),
    leakTransaction: async () => {
      const runner = source.createQueryRunner();
      await runner.query('BEGIN');
      await runner.query('SELECT 1');
      await runner.release();
    },
    close: () => source.destroy(),
  };
}

const DRIVERS = { postgres: PostgreSqlDriver, mysql: MySqlDriver, mariadb: MariaDbDriver };

async function openMikroOrm({ db, host, port, user, password, database, pool }: OrmOptions): Promise<Orm> {
  const options: unknown = {
    driver: DRIVERS[db],
    host,
    port,
    user,
    password,
    dbName: database,
    pool: { min: 0, max: pool },
    entities: [],
    discovery: { warnWhenNoEntities: false },
  };
  const connected = await MikroORM.init(options as Options);
  const manager = () => (connected.em as unknown as MikroManager).fork();
  const transaction: Orm['transaction'] = (work) => manager().transactional((em) => work(em));
  return {
    executor: mikroOrmExecutor(connected),
    write: async (handle, text, values = []) => {
      const answer = await (handle as MikroManager).execute(text, values);
      return Array.isArray(answer) ? (answer as Record<string, unknown>[]) : [];
    },
    transaction,
    holdAll: holding(transaction, pool),
    leakTransaction: async () => void (await manager().execute('BEGIN', [])),
    close: () => connected.close(true),
  };
}
