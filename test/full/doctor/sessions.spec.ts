import mysql from 'mysql2/promise';
import pg from 'pg';
import { DurableDoctor } from '../../../lib/doctor/doctor.js';
import { migrateOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxTableNames, outboxTables } from '../../../lib/outbox/tables.sql.js';
import { driverExecutor } from '../../../lib/sql/driver-executor.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { id, sql } from '../../../lib/sql/statement.js';
import { ManualClock, systemClock } from '../../../lib/core/time.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { checked, mend, saidBy } from '../../support/examined.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { startPgBouncer } from '../../support/servers/pgbouncer.mjs';
import { servers } from '../../support/test-servers.js';
import { until } from '../../support/until.js';

/** MariaDB shows the same transactions again to whoever asks within 100 ms. */
const SELDOM = { everyMs: 250 };

/** One connection, as somebody holds it at a prompt. */
interface Prompt {
  /** By which the server names it. */
  readonly session: number;
  query(text: string): Promise<unknown>;
  close(): Promise<void>;
}

describe.each(servers.map(({ db }) => db))('the doctor and sessions: %s', (db) => {
  const isPostgres = db === 'postgres';
  let database: FreshDatabase;
  let executor: SqlExecutor;
  const closes: (() => Promise<unknown>)[] = [];

  /** A pool, as a process has it. */
  function connect({ user = database.user, password = database.password, dialect = db } = {}): SqlExecutor {
    const { host, port, database: name } = database;
    if (isPostgres) {
      const pool = new pg.Pool({ host, port, user, password, database: name, max: 2 });
      pool.on('error', () => {});
      closes.push(() => pool.end());
      return driverExecutor(pool);
    }
    const pool = mysql.createPool({ host, port, user, password, database: name, connectionLimit: 2 });
    closes.push(() => pool.end());
    return driverExecutor(pool, { dialect: dialect === 'mysql' ? 'mysql' : 'mariadb' });
  }

  async function prompt(): Promise<Prompt> {
    const { host, port, user, password, database: name } = database;
    if (isPostgres) {
      const client = new pg.Client({ host, port, user, password, database: name });
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
      return { session: rows[0]!.id, query: (text) => client.query(text), close: () => client.end().catch(() => {}) };
    }
    const connection = await mysql.createConnection({ host, port, user, password, database: name });
    connection.on('error', () => {});
    const session = connection.threadId;
    return { session, query: (text) => connection.query(text), close: async () => connection.destroy() };
  }

  beforeAll(async () => {
    database = await createDatabase(db);
    executor = connect();
    await migrate(executor, tablesWithPrefix('durable'));
    await migrateOutbox(executor, outboxTables('durable', outboxTableNames({}, 'durable', {})));
  });
  afterAll(async () => {
    for (const close of closes) await close();
    await database.close();
  });

  it('makes every check that the database has something for, and explains what could not be told', async () => {
    const doctor = new DurableDoctor(executor);
    const { checks, server, counts } = await doctor.examine();
    expect(server).toMatch(new RegExp(`^${db}: `));
    expect(checks.map(({ id }) => id)).toEqual(doctor.checks.map(({ id }) => id));
    expect(checks).toHaveLength(isPostgres ? 37 : 35);
    // The test servers are not durable, and the one of MySQL has no performance schema.
    const wrong = checks.filter(({ outcome }) => outcome !== 'well').map(({ id }) => id);
    expect(wrong.filter((id) => !['durability', 'deadlocks', 'horizon', 'locks', 'connections'].includes(id))).toEqual(
      [],
    );
    expect(counts.error).toBe(0);
  });

  it('version: a server that is none of ours, or another than the ORM is set up for', async () => {
    expect(saidBy(await checked(executor, 'version'))).toBe('');
    if (isPostgres) {
      await database.script('CREATE SCHEMA spanner_sys');
      expect(saidBy(await checked(executor, 'version'))).toMatch(/^error: The server is Spanner .* not supported/);
      await database.script('DROP SCHEMA spanner_sys');
    }
    // MySQL refuses the statements for MariaDB before anything can be asked.
    if (db === 'mariadb')
      expect(saidBy(await checked(connect({ dialect: 'mysql' }), 'version'))).toMatch(
        /^error: The ORM is set up for MySQL, but the server is MariaDB/,
      );
  });

  it('clock: one that differs from that of this machine', async () => {
    expect(saidBy(await checked(executor, 'clock'))).toBe('');
    const clock = new ManualClock(systemClock.now() - 60_000);
    expect(saidBy(await checked(executor, 'clock', { clock }))).toMatch(
      /^warning: The clock of the database is (59|60|61|6\d)\.\d s ahead of this machine/,
    );
  });

  it('rights: a user that lacks some of them', async () => {
    const user = `d_${database.database.slice(-8)}`;
    const account = isPostgres ? `"${user}"` : `'${user}'@'%'`;
    await database.script(
      isPostgres ? `CREATE ROLE ${account} LOGIN PASSWORD 'pw'` : `CREATE USER ${account} IDENTIFIED BY 'pw'`,
    );
    try {
      await database.script(`GRANT SELECT ON durable_runs TO ${account}`);
      // As an administrator grants a whole database.
      if (!isPostgres)
        await database.script(`GRANT INSERT ON \`${database.database.replaceAll('_', '\\_')}\`.* TO ${account}`);
      const theirs = connect({ user, password: 'pw' });
      const found = await checked(theirs, 'rights');
      const named = isPostgres ? 'INSERT, UPDATE, DELETE' : 'UPDATE, DELETE';
      expect(saidBy(found)).toContain(`error: This user lacks ${named} on "durable_runs"`);
      expect(saidBy(found)).toMatch(/lacks SELECT, (INSERT, )?UPDATE, DELETE on "durable_outbox"/);
      await mend(found, database);
      expect(saidBy(await checked(theirs, 'rights'))).toBe('');
      // The right to insert is of use only with that to take a number.
      await theirs.run(
        sql`INSERT INTO ${id('durable_outbox')} (mutation_id, channel, name, data) VALUES ('m', 'c', 'placed', '{}')`,
      );
      // What they may not see is not well.
      const other = await prompt();
      try {
        await other.query('SELECT 1');
        const horizon = await checked(theirs, 'horizon');
        expect(saidBy(horizon)).toMatch(/^untold: this user (cannot|may not) see the transactions of/);
        await mend(horizon, database);
        expect((await checked(connect({ user, password: 'pw' }), 'horizon')).outcome).not.toBe('untold');
      } finally {
        await other.close();
      }
    } finally {
      await closes.pop()?.();
      await closes.pop()?.();
      if (isPostgres) await database.script(`DROP OWNED BY ${account}`);
      await database.script(isPostgres ? `DROP ROLE ${account}` : `DROP USER ${account}`);
    }
  });

  it('horizon: an open transaction, and whose it is', async () => {
    const other = await prompt();
    try {
      await other.query('BEGIN');
      await other.query('DELETE FROM durable_holds');
      await other.query(`INSERT INTO durable_start_keys (start_key, run_id) VALUES ('k', 'r')`);
      const limits = { openWarning: 0, openError: 600_000 };
      const named = new RegExp(
        `^warning: (Session|Connection) ${other.session} \\(.*\\) has been in a transaction for \\d+ s`,
        'm',
      );
      // Others use the server, too: five at most are named, the oldest ones.
      const mends = await until(
        'it is named, with what ends it',
        async () => {
          const found = await checked(executor, 'horizon', { limits });
          if (!named.test(saidBy(found))) return false;
          const all = found.findings.flatMap((finding) => finding.mend);
          return all.filter((text) => new RegExp(`\\b${other.session}\\b`).test(text));
        },
        SELDOM,
      );
      const old = await checked(executor, 'horizon', { limits: { openWarning: 0, openError: -1 } });
      expect(old.findings.map(({ level }) => level)).toContain('error');
      expect(mends).toHaveLength(1);
      await database.script(mends[0]!);
      await until(
        'it is gone',
        async () => !saidBy(await checked(executor, 'horizon', { limits })).includes(` ${other.session} `),
        SELDOM,
      );
    } finally {
      await other.close();
    }
  });

  if (db === 'mysql')
    it('horizon: an emoji in a statement of others', async () => {
      const other = await prompt();
      try {
        await other.query('BEGIN');
        await other.query(`INSERT INTO durable_start_keys (start_key, run_id) VALUES ('emoji', 'r')`);
        const asked = other.query(`SELECT SLEEP(600), '😀'`).catch(() => {});
        const isSaid = async () =>
          saidBy(await checked(executor, 'horizon')).startsWith('untold: MySQL cannot list transactions');
        await until('it says why it cannot tell', isSaid, SELDOM);
        await database.script(`KILL ${other.session}`);
        await asked;
      } finally {
        await other.close();
      }
    });

  it('deadlocks: how many there were', async () => {
    if (isPostgres) await database.script('SELECT pg_stat_reset()');
    const [one, two] = [await prompt(), await prompt()];
    try {
      await database.script(`DELETE FROM durable_start_keys`);
      await database.script(`INSERT INTO durable_start_keys (start_key, run_id) VALUES ('a', 'r'), ('b', 'r')`);
      const lock = (at: Prompt, key: string) =>
        at.query(`UPDATE durable_start_keys SET run_id = 's' WHERE start_key = '${key}'`);
      for (const at of [one, two]) await at.query('BEGIN');
      await lock(one, 'a');
      await lock(two, 'b');
      const both = await Promise.allSettled([lock(one, 'b'), lock(two, 'a')]);
      expect(both.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      // PostgreSQL counts it when its transaction has ended.
      for (const at of [one, two]) await at.query('ROLLBACK');
      const found = await until(
        'it is counted',
        async () => {
          const report = await checked(executor, 'deadlocks');
          return report.findings.some(({ text }) => text.includes('deadlocks')) && report;
        },
        SELDOM,
      );
      expect(saidBy(found)).toMatch(/^info: \d+ deadlocks .*: ours are repeated, those of the app fail/);
      for (const { mend: texts } of found.findings) expect(texts).toHaveLength(db === 'mysql' ? 1 : 0);
    } finally {
      await one.close();
      await two.close();
    }
  });

  it('locks: who waits for whom', async () => {
    if (db === 'mysql')
      return expect(saidBy(await checked(executor, 'locks'))).toMatch(/^untold: .*performance_schema = OFF/);
    const [one, two] = [await prompt(), await prompt()];
    try {
      await database.script(`DELETE FROM durable_start_keys`);
      await database.script(`INSERT INTO durable_start_keys (start_key, run_id) VALUES ('a', 'r')`);
      await one.query('BEGIN');
      await one.query(`UPDATE durable_start_keys SET run_id = 's'`);
      const waiting = two.query(`UPDATE durable_start_keys SET run_id = 't'`);
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
      await mend(found, database);
      await waiting;
      await until('nobody waits', async () => saidBy(await checked(executor, 'locks', { limits })) === '', SELDOM);
    } finally {
      await one.close();
      await two.close();
    }
    return undefined;
  });

  it('says what it could not tell, and still makes the other checks', async () => {
    await database.script('ALTER TABLE durable_nodes RENAME TO durable_nodes_away');
    try {
      const { checks, counts } = await new DurableDoctor(executor).examine({ only: ['versions', 'effects'] });
      expect(checks.map(({ id, outcome }) => [id, outcome])).toEqual([
        ['versions', 'untold'],
        ['effects', 'well'],
      ]);
      expect(checks[0]!.reason).toMatch(/A table of nest-durable is missing/);
      expect(counts).toMatchObject({ untold: 1 });
    } finally {
      await database.script('ALTER TABLE durable_nodes_away RENAME TO durable_nodes');
    }
  });

  it('gives up a look that a lock makes wait', async () => {
    const other = await prompt();
    try {
      await other.query(isPostgres ? 'BEGIN' : 'LOCK TABLES durable_effects WRITE');
      if (isPostgres) await other.query('LOCK TABLE durable_effects');
      const report = await checked(executor, 'effects');
      expect(report.outcome).toBe('untold');
      expect(report.tookMs).toBeGreaterThan(4_000);
    } finally {
      await other.close();
    }
  });

  if (!isPostgres) return;

  /** PostgreSQL keeps settings per database, so that no other test sees them. */
  async function provoke(id: string, damage: readonly string[], said: RegExp): Promise<void> {
    for (const text of damage) await database.script(text.replace('DATABASE_NAME', `"${database.database}"`));
    const found = await checked(connect(), id);
    expect(saidBy(found)).toMatch(said);
    await mend(found, database);
    expect(saidBy(await checked(connect(), id))).toBe('');
  }

  const set = (setting: string) => `ALTER DATABASE DATABASE_NAME SET ${setting}`;

  it('timeouts: shorter than our statements take', async () => {
    await provoke(
      'timeouts',
      [set(`statement_timeout = '5s'`), set(`idle_in_transaction_session_timeout = 1000`)],
      /^warning: statement_timeout ends statements .* after 5000 ms\nwarning: idle_in_transaction_session_timeout .* 1000 ms$/,
    );
  });

  it('writable: transactions that are read only by default', async () => {
    await provoke(
      'writable',
      [set('default_transaction_read_only = on')],
      /^error: Transactions of this user are read only/,
    );
  });

  it('isolation: another level', async () => {
    await provoke('isolation', [set(`default_transaction_isolation = 'serializable'`)], /^info: .* are serializable:/);
  });

  it('connections: a limit of the database', async () => {
    await provoke(
      'connections',
      ['ALTER DATABASE DATABASE_NAME CONNECTION LIMIT 5'],
      /^warning: \d+ of the 5 connections of the database are in use$/,
    );
  });

  it('autovacuum: turned off for a table, and dead rows that are left', async () => {
    const off = ['ALTER TABLE durable_step_logs SET (autovacuum_enabled = off)'];
    await provoke('autovacuum', off, /^error: Autovacuum is turned off for "durable_step_logs"$/);
    await database.script(`
      ALTER TABLE durable_step_logs SET (autovacuum_enabled = off);
      INSERT INTO durable_step_logs (run_id, level, message, logged_at) SELECT 'r', 'log', 'm', 1 FROM generate_series(1, 5000);
      DELETE FROM durable_step_logs;`);
    const limits = { deadRows: 1_000 };
    const found = await until('they are counted', async () => {
      const report = await checked(executor, 'autovacuum', { limits });
      return saidBy(report).includes('dead rows') && report;
    });
    expect(saidBy(found)).toMatch(/warning: "durable_step_logs" has 5000 dead rows beside \d+, and no vacuum/);
    await mend(found, database);
    await until('they are gone', async () => saidBy(await checked(executor, 'autovacuum', { limits })) === '');
  });

  it('collations: indexes that an older version of the collation has sorted', async () => {
    const name = `${database.database}_sorted`;
    await database.script(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'`);
    const { host, port, user, password } = database;
    const pool = new pg.Pool({ host, port, user, password, database: name, max: 2 });
    try {
      const sorted = driverExecutor(pool);
      await migrate(sorted, tablesWithPrefix('durable'));
      expect(saidBy(await checked(sorted, 'collations'))).toBe('');
      await pool.query(`UPDATE pg_database SET datcollversion = '1.0' WHERE datname = current_database()`);
      const found = await checked(sorted, 'collations');
      expect(saidBy(found)).toMatch(/^error: The texts of this database are sorted by version .*, its indexes by 1\.0/);
      for (const text of found.findings[0]!.mend) await pool.query(text);
      expect(saidBy(await checked(sorted, 'collations'))).toBe('');
    } finally {
      await pool.end();
      await database.script(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('notifications: come back', async () => {
    expect(saidBy(await checked(executor, 'notifications'))).toBe('');
  });

  describeWithProgram('pgbouncer', 'behind PgBouncer in transaction mode', (program) => {
    it('notifications: do not come back', async () => {
      const bouncer = await startPgBouncer(program, database);
      const { host, user, password, database: name } = database;
      const pool = new pg.Pool({ host, port: bouncer.port, user, password, database: name, max: 2 });
      try {
        expect(saidBy(await checked(driverExecutor(pool), 'notifications'))).toMatch(
          /^warning: A notification to ourselves did not come back: PgBouncer/,
        );
      } finally {
        await pool.end();
        await bouncer.stop();
      }
    });
  });
});
