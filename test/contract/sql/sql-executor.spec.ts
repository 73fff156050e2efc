import { MikroORM } from '@mikro-orm/core';
import mysql from 'mysql2';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import {
  sqlAfterCommitCases,
  sqlCommitCases,
  type SqlExecutorFixture,
  sqlTransactionCases,
} from '../../../lib/conformance/sql-executor-transactions.js';
import { sqlExecutorConformance, sqlJoiningCases, sqlValueCases } from '../../../lib/conformance/sql-executor.js';
import { driverExecutor } from '../../../lib/sql/driver-executor.js';
import { ownSessionsOr, type SqlExecutor, type SqlSessions } from '../../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { sql } from '../../../lib/sql/statement.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { backendOf, describeBackends, type OpenBackend } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { servers } from '../../support/test-servers.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { until } from '../../support/until.js';

needsOwner('makes tables of its own');

const work = <T>(handle: unknown, inside: (handle: unknown) => Promise<T>): Promise<T> => {
  if (handle instanceof MikroORM) return (handle as MikroORM).em.fork().transactional(inside);
  const manager = handle as { transaction?: unknown; transactional?: unknown };
  return 'transaction' in manager
    ? (handle as DataSource).transaction(inside)
    : (handle as MikroORM['em']).transactional(inside);
};

const executorOf = (handle: unknown) =>
  handle instanceof MikroORM ? mikroOrmExecutor(handle) : typeOrmExecutor(handle as DataSource);

function notTransactionsOf(handle: unknown): unknown[] {
  if (handle instanceof MikroORM) {
    const { em } = handle as MikroORM;
    return [handle, em, em.fork(), { queryRunner: {} }];
  }
  const dataSource = handle as DataSource;
  return [dataSource, dataSource.manager, dataSource.createQueryRunner(), dataSource.createQueryRunner().manager];
}

/** The same, with its lone statements and transactions in sessions of its own, of which one is open. */
async function inOwnSessions(db: SqlExecutor): Promise<SqlExecutor> {
  const own = ownSessionsOr(db);
  const mode = sql`SELECT current_setting('plan_cache_mode') AS mode`;
  const isOpen = async () => (await own.run<{ mode: string }>(mode)).rows[0]?.mode === 'force_generic_plan';
  await until('a session of its own is open', isOpen);
  const sessions: SqlSessions = {
    dialect: own.dialect,
    run: (statement) => own.run(statement),
    transaction: (inside) => own.transaction(inside),
    readLatest: (read) => own.readLatest!(read),
  };
  return Object.assign(Object.create(db) as SqlExecutor, sessions);
}

describe.each(['typeorm', 'mikro-orm'] as const)('SqlExecutor in sessions of its own [%s on postgres]', (orm) => {
  let backend: OpenBackend;
  let fixture: SqlExecutorFixture;
  beforeAll(async () => {
    backend = await backendOf(orm, 'postgres').open({ poolMax: 6 });
    const { handle } = backend;
    fixture = {
      executor: await inOwnSessions(executorOf(handle)),
      another: await inOwnSessions(executorOf(await backend.another())),
      appTransaction: (inside) => work(handle, inside),
      knowsAppTransactions: orm !== 'typeorm',
      nestedTransaction: work,
      notTransactions: notTransactionsOf(handle),
    };
  });
  afterAll(() => backend.close());

  it.each(sqlExecutorConformance)('$name', (conformance) => conformance.run(fixture));
});

describeBackends('SqlExecutor', (at) => {
  let backend: OpenBackend;
  let fixture: SqlExecutorFixture;
  const unhandled: unknown[] = [];
  const remember = (error: unknown) => void unhandled.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', remember);
    backend = await at.open({ poolMax: 6 });
    const { handle } = backend;
    fixture = {
      executor: executorOf(handle),
      another: executorOf(await backend.another()),
      appTransaction: (inside) => work(handle, inside),
      knowsAppTransactions: at.orm !== 'typeorm',
      nestedTransaction: work,
      notTransactions: notTransactionsOf(handle),
    };
  });

  afterAll(async () => {
    await backend.close();
    process.removeListener('unhandledRejection', remember);
    expect(unhandled).toEqual([]);
  });

  it.each(sqlExecutorConformance)('$name', (conformance) => conformance.run(fixture));
});

/** A pool of the driver alone, and how to end it. */
function poolOn({ db, host, port, user, password, database }: FreshDatabase): { pool: object; end(): Promise<void> } {
  if (db === 'postgres') {
    const pool = new pg.Pool({ host, port, user, password, database, max: 6 });
    return { pool, end: () => pool.end() };
  }
  const pool = mysql.createPool({ host, port, user, password, database, connectionLimit: 6 });
  return { pool, end: () => pool.promise().end() };
}

describe.each(servers)('SqlExecutor [driver on $db]', ({ db }) => {
  let database: FreshDatabase;
  let fixture: SqlExecutorFixture;
  const pools: { end(): Promise<void> }[] = [];

  const open = () => {
    const opened = poolOn(database);
    pools.push(opened);
    return driverExecutor(opened.pool, db === 'mariadb' ? { dialect: 'mariadb' } : {});
  };

  beforeAll(async () => {
    database = await createDatabase(db);
    const executor = open();
    fixture = {
      executor,
      another: open(),
      appTransaction: (inside) => executor.ormTransaction(inside),
      nestedTransaction: (handle, inside) => inside(handle),
      notTransactions: [executor],
    };
  });

  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await database.close();
  });

  // It has no transactions of an app's to join, and so no savepoints of theirs.
  const cases = [
    ...sqlValueCases,
    ...sqlTransactionCases,
    ...sqlAfterCommitCases,
    ...[...sqlJoiningCases, ...sqlCommitCases].filter(({ name }) => !/savepoint/.test(name)),
  ];
  it.each(cases)('$name', (conformance) => conformance.run(fixture));
});
