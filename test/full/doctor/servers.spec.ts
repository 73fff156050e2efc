import mysql from 'mysql2/promise';
import pg from 'pg';
import { driverExecutor } from '../../../lib/sql/driver-executor.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { checked, mend, saidBy } from '../../support/examined.js';
import { findInstallation } from '../../support/servers/mysql-installation.mjs';
import { startMysql } from '../../support/servers/mysql.mjs';
import { startPostgres } from '../../support/servers/postgres.mjs';
import type { RunningServer } from '../../support/servers/server.mjs';
import { missing } from '../../support/test-servers.js';
import { until } from '../../support/until.js';

/** Settings of a whole server: on servers of our own, which nobody else uses. */
const SELDOM = { everyMs: 250 };

describe('the doctor and the settings of PostgreSQL', () => {
  let server: RunningServer;
  let database: FreshDatabase;
  const pools: pg.Pool[] = [];

  const poolOf = (max = 2): pg.Pool => {
    const { host, port, user, password, database: name } = database;
    const pool = new pg.Pool({ host, port, user, password, database: name, max });
    pool.on('error', () => {});
    pools.push(pool);
    return pool;
  };
  const closed = async (): Promise<void> => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
  };
  /** New settings are those of new connections. */
  const connect = async (): Promise<SqlExecutor> => {
    await closed();
    return driverExecutor(poolOf());
  };

  beforeAll(async () => {
    const flags = [
      ...['wal_level=logical', 'max_prepared_transactions=5', 'max_connections=40', 'max_notify_queue_pages=64'],
      ...['max_wal_senders=4', 'max_replication_slots=4'],
    ].flatMap((setting) => ['-c', setting]);
    server = await startPostgres({ durable: true, flags });
    database = await createDatabase('postgres', server.address);
    await migrate(await connect(), tablesWithPrefix('durable'));
  });
  afterAll(async () => {
    await closed();
    await database?.close();
    await server?.stop();
  });

  /** A change of the server arrives a moment after it. */
  async function provoke(id: string, damage: readonly string[], said: RegExp, limits = {}): Promise<void> {
    expect(saidBy(await checked(await connect(), id, { limits }))).toBe('');
    for (const text of damage) await database.script(text);
    const found = await until(
      'it is found',
      async () => {
        const report = await checked(await connect(), id, { limits });
        return said.test(saidBy(report)) && report;
      },
      SELDOM,
    );
    await mend(found, database);
    await until('it is mended', async () => saidBy(await checked(await connect(), id, { limits })) === '', SELDOM);
  }

  const set = (setting: string) => [`ALTER SYSTEM SET ${setting}`, 'SELECT pg_reload_conf()'];

  it('durability: commits that a crash loses', async () => {
    await provoke('durability', set('fsync = off'), /^warning: fsync is off: a crash of the machine may destroy/);
    await provoke('durability', set('full_page_writes = off'), /^warning: full_page_writes is off/);
    await provoke('durability', set('synchronous_commit = off'), /^warning: synchronous_commit is off/);
  });

  it('autovacuum: turned off', async () => {
    await provoke('autovacuum', set('autovacuum = off'), /^error: autovacuum is off: dead rows are never removed/);
    await provoke('autovacuum', set('track_counts = off'), /^error: track_counts is off/);
  });

  it('isolation: levels at which our callers must repeat', async () => {
    await provoke(
      'isolation',
      set(`default_transaction_isolation = 'repeatable read'`),
      /^info: Transactions of the app are repeatable read/,
    );
  });

  it('timeouts: of whole transactions', async () => {
    await provoke(
      'timeouts',
      set(`transaction_timeout = '20s'`),
      /^warning: transaction_timeout ends transactions of this user after 20000 ms$/,
    );
  });

  it('connections: hardly any are left', async () => {
    const executor = await connect();
    const busy = poolOf(34);
    const clients = await Promise.all(Array.from({ length: 31 }, () => busy.connect()));
    const found = await checked(executor, 'connections');
    expect(saidBy(found)).toMatch(/^warning: \d+ of the 37 connections of the server are in use$/);
    expect(found.findings[0]!.mend).toEqual(['ALTER SYSTEM SET max_connections = 74;']);
    for (const client of clients) client.release(true);
    await until('they are free', async () => saidBy(await checked(await connect(), 'connections')) === '', SELDOM);
  });

  it('horizon: a prepared transaction that was forgotten, a slot that nobody reads', async () => {
    const prepare = `BEGIN; DELETE FROM durable_holds; INSERT INTO durable_start_keys (start_key, run_id) VALUES ('k', 'r'); PREPARE TRANSACTION 'ada''s'`;
    await provoke('horizon', [prepare], /^warning: The prepared transaction "ada's" of app has been in a transaction/, {
      openWarning: 0,
    });
    const slot = `SELECT pg_create_logical_replication_slot('forgotten', 'pgoutput')`;
    const writes = `DO $$ BEGIN FOR n IN 1..5 LOOP PERFORM txid_current(); COMMIT; END LOOP; END $$`;
    await provoke(
      'horizon',
      [slot, writes],
      /^warning: The slot "forgotten" is \d+ transactions behind, and nobody reads it/,
      {
        openTransactions: 1,
      },
    );
  });

  it('wraparound: tables that were not frozen for long', async () => {
    await database.script('VACUUM FREEZE');
    const writes = `DO $$ BEGIN FOR n IN 1..500 LOOP PERFORM txid_current(); COMMIT; END LOOP; END $$`;
    await provoke('wraparound', [writes], /^error: "durable_\w+" was not frozen for \d+ transactions/, {
      wraparound: 400,
    });
  });

  it('notifications: a queue that a listener does not read', async () => {
    const listener = new pg.Client({ ...server.address, database: database.database });
    listener.on('error', () => {});
    await listener.connect();
    try {
      await listener.query('LISTEN doctor');
      await listener.query('BEGIN');
      await listener.query('SELECT 1');
      const fill = `SELECT pg_notify('doctor', repeat('x', 7000) || n) FROM generate_series(1, 40) AS n`;
      await provoke(
        'notifications',
        [fill],
        /^warning: The queue of notifications is \d+ % full: when it is full, commits fail$/,
        {
          notifications: 0.3,
        },
      );
    } finally {
      await listener.end().catch(() => {});
    }
  });
});

describe.each(['mysql', 'mariadb'] as const)('the doctor and the settings of %s', (db) => {
  const absent = missing.some((server) => server.db === db);
  const isMysql = db === 'mysql';
  let server: RunningServer;
  let database: FreshDatabase;
  const pools: mysql.Pool[] = [];

  const poolOf = (connectionLimit = 2): mysql.Pool => {
    const { host, port, user, password, database: name } = database;
    const pool = mysql.createPool({ host, port, user, password, database: name, connectionLimit });
    pools.push(pool);
    return pool;
  };
  const closed = async (): Promise<void> => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
  };
  /** New settings are those of new connections. */
  const connect = async (): Promise<SqlExecutor> => {
    await closed();
    return driverExecutor(poolOf(), { dialect: db });
  };

  beforeAll(async () => {
    if (absent) return;
    const installation = findInstallation(db);
    if (!('command' in installation)) throw new Error(installation.reason);
    const flags = [
      '--log-bin=binlog',
      '--server-id=1',
      '--sync-binlog=1',
      ...(isMysql ? ['--performance-schema=ON'] : []),
    ];
    server = await startMysql(installation, { durable: true, flags });
    database = await createDatabase(db, server.address);
    await migrate(await connect(), tablesWithPrefix('durable'));
  });
  afterAll(async () => {
    await closed();
    await database?.close();
    await server?.stop();
  });

  async function provoke(id: string, damage: readonly string[], said: RegExp): Promise<void> {
    expect(saidBy(await checked(await connect(), id))).toBe('');
    for (const text of damage) await database.script(text);
    const found = await checked(await connect(), id);
    expect(saidBy(found)).toMatch(said);
    await mend(found, database);
    expect(saidBy(await checked(await connect(), id))).toBe('');
  }

  const test = absent ? it.skip : it;

  test('durability: commits that a crash loses', async () => {
    await provoke(
      'durability',
      ['SET GLOBAL innodb_flush_log_at_trx_commit = 2', 'SET GLOBAL sync_binlog = 0'],
      /^warning: innodb_flush_log_at_trx_commit is 2: a crash .*\nwarning: sync_binlog is 0: after a crash/,
    );
  });

  test('writable: a server that takes no writes', async () => {
    await provoke('writable', ['SET GLOBAL read_only = ON'], /^error: The server takes no writes: .*read_only/);
    if (isMysql)
      await provoke(
        'writable',
        ['SET GLOBAL super_read_only = ON'],
        /^error: The server takes no writes: .*\(read_only, super_read_only\)/,
      );
  });

  test('isolation: SERIALIZABLE', async () => {
    const name = isMysql ? 'transaction_isolation' : 'tx_isolation';
    await provoke(
      'isolation',
      [`SET GLOBAL ${name} = 'SERIALIZABLE'`],
      /^info: Transactions of the app are SERIALIZABLE/,
    );
  });

  test('timeouts: shorter than our statements take', async () => {
    const own = isMysql ? 'max_execution_time = 2000' : 'max_statement_time = 2';
    await provoke(
      'timeouts',
      [`SET GLOBAL ${own}`, 'SET GLOBAL wait_timeout = 20', 'SET GLOBAL innodb_lock_wait_timeout = 1'],
      /^warning: max_(execution|statement)_time ends \w+ after 2000 ms\nwarning: wait_timeout .* 20000 ms\nwarning: innodb_lock_wait_timeout .* 1000 ms$/,
    );
  });

  // MySQL has no such setting.
  if (!isMysql)
    test('timeouts: of transactions that wait for their app', async () => {
      await provoke(
        'timeouts',
        ['SET GLOBAL idle_transaction_timeout = 5'],
        /^warning: idle_transaction_timeout ends transactions that wait for their app after 5000 ms$/,
      );
    });

  test('packets: smaller than payloads may be', async () => {
    await provoke(
      'packets',
      ['SET GLOBAL max_allowed_packet = 2097152'],
      /^warning: max_allowed_packet is 2097152: payloads above/,
    );
  });

  test('clock: sessions that do not use UTC', async () => {
    await database.script(`SET GLOBAL time_zone = '+00:00'`);
    await provoke('clock', [`SET GLOBAL time_zone = '+05:00'`], /^warning: Sessions have the time zone \+05:00/);
  });

  test('connections: hardly any are left', async () => {
    const most = 40;
    await database.script(`SET GLOBAL max_connections = ${most}`);
    const executor = await connect();
    expect(saidBy(await checked(executor, 'connections'))).toBe('');
    const busy = poolOf(most);
    const held = await Promise.all(Array.from({ length: most - 6 }, () => busy.getConnection()));
    const found = await checked(executor, 'connections');
    expect(saidBy(found)).toMatch(/^warning: \d+ of the 40 connections of the server are in use/);
    await mend(found, database);
    expect(saidBy(await checked(executor, 'connections'))).toBe('');
    for (const connection of held) connection.release();
  });

  test('horizon: changes that wait for the purge', async () => {
    const executor = await connect();
    expect(saidBy(await checked(executor, 'horizon'))).toBe('');
    expect(saidBy(await checked(executor, 'horizon', { limits: { historyLength: -1 } }))).toMatch(
      /^warning: \d+ changes wait for the purge/,
    );
  });

  test('locks and deadlocks: who waits for whom, and how often nobody could', async () => {
    const executor = await connect();
    const [one, two] = [await poolOf(1).getConnection(), await poolOf(1).getConnection()];
    await database.script(`INSERT INTO durable_start_keys (start_key, run_id) VALUES ('a', 'r'), ('b', 'r')`);
    const lock = (at: mysql.PoolConnection, key: string) =>
      at.query(`UPDATE durable_start_keys SET run_id = 's' WHERE start_key = '${key}'`);
    for (const at of [one, two]) await at.query('BEGIN');
    await lock(one, 'a');
    await lock(two, 'b');
    const waiting = lock(one, 'b').then(
      () => 'done',
      () => 'ended',
    );
    const limits = { lockWait: 0 };
    const found = await until(
      'it waits',
      async () => {
        const report = await checked(executor, 'locks', { limits });
        return report.findings.length > 0 && report;
      },
      SELDOM,
    );
    expect(saidBy(found)).toMatch(/^warning: Session \d+ has waited for \d+ s for a lock of session \d+/);
    await Promise.allSettled([lock(two, 'a'), waiting]);
    await one.query('ROLLBACK').catch(() => undefined);
    await two.query('ROLLBACK').catch(() => undefined);
    const deadlocks = await until(
      'it is counted',
      async () => {
        const report = await checked(executor, 'deadlocks');
        return report.findings.length > 0 && report;
      },
      SELDOM,
    );
    expect(saidBy(deadlocks)).toMatch(/^info: \d+ (deadlocks|lock timeouts) on this server/);
    await mend(deadlocks, database);
    // MariaDB cannot begin to count anew.
    expect(saidBy(await checked(executor, 'deadlocks')) === '').toBe(isMysql);
    // Again, until the one that holds the lock is ended by what the finding prints.
    for (const at of [one, two]) await at.query('BEGIN');
    await lock(one, 'a');
    const again = lock(two, 'a');
    const held = await until(
      'it waits again',
      async () => {
        const report = await checked(executor, 'locks', { limits });
        return saidBy(report).startsWith(`warning: Session ${two.threadId} `) && report;
      },
      SELDOM,
    );
    await mend(held, database);
    await again;
    await two.query('ROLLBACK');
    one.destroy();
    two.release();
  });
});
