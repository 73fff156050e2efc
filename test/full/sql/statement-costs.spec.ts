import { dirname } from 'node:path';
import pg from 'pg';
import { migrateOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import { postgres, type RenderedStatement } from '../../../lib/sql/dialects.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { backendOf, type OpenBackend } from '../../support/backends.js';
import { crowd, numbersTable } from '../../support/crowded-tables.js';
import { executorOf } from '../../support/engine-storage.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { startPostgres } from '../../support/servers/postgres.mjs';
import type { RunningServer } from '../../support/servers/server.mjs';
import { answersOf, type Call } from '../../unit/golden/renderings.js';
import { statementFunctions } from '../../unit/golden/statement-functions.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const ROWS = 100_000;
/** `jit_above_cost`, unless somebody changes it: above it, a statement is compiled before it is executed. */
const COMPILED_ABOVE = 100_000;

/** Rows as the arguments of the golden files ask for them, so that many of them match. */
const MATCHING = [
  `INSERT INTO durable_effects (entry_id, operation, subject, handler, enqueued_at, status, open, ready, next_attempt_at)
   SELECT 'e' || n, 'operation', 's' || n, 'name-1', n, 'pending', 1, CASE WHEN n % 3 = 0 THEN 0 ELSE 1 END, n FROM numbers WHERE n < ${ROWS}`,
  `INSERT INTO durable_effect_audit (event_id, type, operation, subject, details, recorded_at)
   SELECT 'e' || n, 'effect_succeeded', 'operation', 's' || n, '{}', n FROM numbers WHERE n < ${ROWS}`,
  `INSERT INTO durable_acts (at, actor, action, kind, target, namespace, details, outcome)
   SELECT n, 'actor', 'action', 'run', 'run-' || n % 50000, 'namespace', '{}', 'done' FROM numbers WHERE n < ${ROWS}`,
  `INSERT INTO durable_samples (minute, node, namespace, body) SELECT 60000 * n::bigint, 'n' || n, 'namespace', '{}' FROM numbers WHERE n < ${ROWS}`,
  'ALTER TABLE app.durable_outbox DISABLE TRIGGER USER',
  `INSERT INTO app.durable_outbox (mutation_id, channel, name, data, processed)
   SELECT 'm' || n, 'c' || n % 2000, 'x', '{}', n % 10 = 9 FROM numbers WHERE n < ${ROWS} ORDER BY n`,
  'ALTER TABLE app.durable_outbox ENABLE TRIGGER USER',
  `INSERT INTO durable_outbox_channels (destination, channel, failed_at, state)
   SELECT 'destination', 'c' || n, 1, CASE WHEN n % 5 = 0 THEN 'blocked' END FROM numbers WHERE n < ${ROWS}`,
  `INSERT INTO durable_outbox_dead (destination, sequence_id, mutation_id, channel, name, attempts, reason, failed_at)
   SELECT 'destination', n + 1, 'm', CASE WHEN n < 5000 THEN 'busy' ELSE 'c' || n END, 'x', 1, 'failed', 1 FROM numbers WHERE n < ${ROWS}`,
  `UPDATE durable_runs SET namespace = 'namespace', workflow = CASE WHEN right(id, 1) < '5' THEN 'name-1' ELSE 'workflow' END`,
  `UPDATE durable_transport_tasks SET grp = 'group-1', name = 'names-1'`,
  `UPDATE durable_signals SET namespace = 'namespace'`,
  `UPDATE durable_limiters SET namespace = 'namespace'`,
  `UPDATE durable_limiter_entries SET limiter = 'limiter-1', granted = 0`,
  `UPDATE durable_run_attributes SET namespace = 'namespace', name = 'name-1', text_value = 'value'`,
  'VACUUM ANALYZE',
];

/** Tables that a function takes as an argument: the golden files name them after it. */
const ARGUMENTS: Record<string, string> = {
  '"outbox"': 'durable_outbox',
  '"waits"': 'durable_signal_waits',
  '"attempts"': 'durable_step_attempts',
  '"logs"': 'durable_step_logs',
};
const withTables = (text: string): string => text.replaceAll(/"[a-z]+"/g, (name) => ARGUMENTS[name] ?? name);

/**
 * What says that a text is only a part of a statement, is not for PostgreSQL, or has a value that stands for nothing:
 * a syntax error, or a table, a column, a schema, a function or a number that is not there.
 */
const NOT_A_STATEMENT = new Set(['42601', '42P01', '42703', '3F000', '42883', '22P02']);

describeWithProgram('postgres', `statements of lib, among ${ROWS} rows of everything`, (program) => {
  let server: RunningServer;
  let backend: OpenBackend;
  let client: pg.Client;
  beforeAll(async () => {
    const statistics = ['-c', 'shared_preload_libraries=pg_stat_statements', '-c', 'pg_stat_statements.track=all'];
    server = await startPostgres({ bin: dirname(program), flags: statistics });
    backend = await backendOf('typeorm', 'postgres', server.address).open({ poolMax: 2 });
    const { query, database } = backend;
    // As the golden files have it.
    await query('CREATE SCHEMA app');
    await query(`ALTER DATABASE ${database} SET search_path = public, app`);
    const db = executorOf(backend);
    await migrate(db, tablesWithPrefix('durable'));
    const names = { table: 'durable_outbox', nodesTable: 'durable_outbox_nodes', schema: 'app' };
    await migrateOutbox(db, outboxTables('durable', names));
    await numbersTable(query, 2 * ROWS);
    await crowd(query, 2 * ROWS);
    for (const text of MATCHING) await query(text);
    await query('CREATE EXTENSION pg_stat_statements');
    client = new pg.Client({ ...server.address, database });
    await client.connect();
  }, 300_000);
  afterAll(async () => {
    await client?.end();
    await backend?.close();
    await server?.stop();
  });

  /** Undefined where it is no statement that can be explained. */
  async function costOf({ text, params }: RenderedStatement): Promise<number | undefined> {
    try {
      const explain = `EXPLAIN (FORMAT JSON) ${withTables(text)}`;
      const { rows } = await client.query<Record<string, [{ Plan: Record<string, number> }]>>(explain, [...params]);
      return rows[0]!['QUERY PLAN']![0].Plan['Total Cost']!;
    } catch (error) {
      if (NOT_A_STATEMENT.has(String((error as { code?: unknown }).code))) return undefined;
      throw error;
    }
  }

  it('cost less than what the server compiles', async () => {
    const { functions, checker } = statementFunctions();
    const costly: string[] = [];
    let explained = 0;
    for (const one of functions.filter(({ families }) => families.includes('postgres'))) {
      const module = (await import(`../../../lib/${one.file.replace(/\.ts$/, '.js')}`)) as Record<string, Call>;
      for (const { title, rendered } of answersOf(module[one.name] as Call, one, postgres, checker))
        for (const statement of rendered) {
          const cost = await costOf(statement);
          if (cost !== undefined) explained++;
          if (cost! >= COMPILED_ABOVE) costly.push(`${title}: ${cost}`);
        }
    }
    expect(costly).toEqual([]);
    expect(explained).toBeGreaterThan(650);
  });

  it('are not compiled in functions and triggers either', async () => {
    const { query } = backend;
    const compiled = async () =>
      (await query<{ query: string }>('SELECT query FROM pg_stat_statements WHERE jit_functions > 0')).map(
        ({ query: text }) => text,
      );
    await query('SELECT pg_stat_statements_reset()');
    await query(
      `INSERT INTO durable_outbox (mutation_id, channel, name) SELECT 'p' || n, 'c' || n, 'x' FROM numbers WHERE n < 50`,
    );
    // Numbers jump.
    await query(`SELECT setval('app.durable_outbox_era', 1)`);
    await query(`INSERT INTO durable_outbox (mutation_id, channel, name) VALUES ('q', 'c', 'x')`);
    // One that was changed before the commit is found by its number.
    await backend.script(
      `BEGIN; INSERT INTO durable_outbox (mutation_id, channel, name) VALUES ('s', 'c', 'x'); UPDATE durable_outbox SET name = 'y' WHERE mutation_id = 's' AND channel = 'c'; COMMIT`,
    );
    expect(await compiled()).toEqual([]);
  });
});
