import { dirname } from 'node:path';
import pg from 'pg';
import { migrateOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import { postgres } from '../../../lib/sql/dialects.js';
import { type RenderedStatement } from '../../../lib/sql/statement.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import type { SqlValue } from '../../../lib/sql/statement.js';
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

/** What makes the server expect a million rows of a plan that is kept, see `planned`. */
const PLANNED_ANEW = /\) AS planned CROSS JOIN /;

const literal = (value: SqlValue): string => (value === null ? 'NULL' : pg.escapeLiteral(String(value)));

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

describeWithProgram('postgres', 'statements of lib', (program) => {
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
    client = new pg.Client({ ...server.address, database });
    await client.connect();
  }, 300_000);
  afterAll(async () => {
    await client?.end();
    await backend?.close();
    await server?.stop();
  });

  /** What `work` says of each statement; those that cannot be executed are left out. */
  async function ofEach<Result>(work: (statement: RenderedStatement) => Promise<Result>): Promise<[string, Result][]> {
    const { functions, checker } = statementFunctions();
    const results: [string, Result][] = [];
    for (const one of functions.filter(({ families }) => families.includes('postgres'))) {
      const module = (await import(`../../../lib/${one.file.replace(/\.ts$/, '.js')}`)) as Record<string, Call>;
      for (const { title, rendered } of answersOf(module[one.name] as Call, one, postgres, checker))
        for (const { text, params } of rendered) {
          try {
            results.push([title, await work({ text: withTables(text), params })]);
          } catch (error) {
            if (!NOT_A_STATEMENT.has(String((error as { code?: unknown }).code))) throw error;
          }
        }
    }
    return results;
  }

  /** How the server executes the statement, which has been prepared, when it has done so often. */
  async function keptPlan({ text, params }: RenderedStatement): Promise<string | undefined> {
    await client.query(`PREPARE kept AS ${text}`);
    try {
      const given = params.length > 0 ? `(${params.map((param) => literal(param)).join(', ')})` : '';
      for (let n = 0; n < 6; n++) await client.query(`EXPLAIN EXECUTE kept${given}`);
      const { rows: kept } = await client.query('SELECT FROM pg_prepared_statements WHERE generic_plans > 0');
      if (kept.length === 0) return undefined;
      const { rows } = await client.query<Record<string, string>>(`EXPLAIN EXECUTE kept${given}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await client.query('DEALLOCATE kept');
    }
  }

  it('are planned anew for each execution where they ask for that', async () => {
    await backend.query('VACUUM');
    const asked = await ofEach(async (statement) => PLANNED_ANEW.test(statement.text) && (await keptPlan(statement)));
    expect(asked.filter(([, plan]) => typeof plan === 'string')).toEqual([]);
    expect(asked.filter(([, plan]) => plan === undefined).length).toBeGreaterThan(100);
  });

  describe(`among ${ROWS} rows of everything`, () => {
    beforeAll(async () => {
      const { query } = backend;
      await numbersTable(query, 2 * ROWS);
      await crowd(query, 2 * ROWS);
      for (const text of MATCHING) await query(text);
      await query('CREATE EXTENSION pg_stat_statements');
    }, 300_000);

    it('cost less than what the server compiles', async () => {
      const costs = await ofEach(async ({ text, params }) => {
        const explain = `EXPLAIN (FORMAT JSON) ${text}`;
        const { rows } = await client.query<Record<string, [{ Plan: Record<string, number> }]>>(explain, [...params]);
        return rows[0]!['QUERY PLAN']![0].Plan['Total Cost']!;
      });
      expect(costs.filter(([, cost]) => cost >= COMPILED_ABOVE)).toEqual([]);
      expect(costs.length).toBeGreaterThan(650);
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
});
