import { dirname } from 'node:path';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import type { OutboxOrdering } from '../../../lib/outbox/events.js';
import { SqlOutboxWriter } from '../../../lib/outbox/events.sql.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import { type Backend, backendOf } from '../../support/backends.js';
import { effectsDatabase } from '../../support/effects-database.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { inTransaction } from '../../support/outbox-app.js';
import { openSqlHouse } from '../../support/processes.js';
import { RelayHouse } from '../../support/relays.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { startPostgres } from '../../support/servers/postgres.mjs';
import type { RunningServer } from '../../support/servers/server.mjs';
import { until } from '../../support/until.js';
import { ABANDONED, calls, claim, enqueue, LEASE_MS, SUCCEEDED } from '../conformance/effects.js';

needsOwner('has a server of its own, without the roles of the others');

const GO = new WorkflowSignal<null>('go');
const SILENT = { local: () => undefined, publish: () => undefined };
/** Counts what is compiled, also in functions and triggers. */
const STATISTICS = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=all'];
const ORDERINGS: readonly OutboxOrdering[] = ['commit', 'insert', 'none'];

type Query = RelayHouse['backend']['query'];

const MANY = 50_000;

/** Adds as many copies of a row as would take a long time to read, with these columns changed. */
const multiply = (query: Query, table: string, changes: string) =>
  query(
    `INSERT INTO ${table} SELECT copy.* FROM (SELECT * FROM ${table} LIMIT 1) AS r CROSS JOIN generate_series(1, ${MANY}) AS n
     CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(r) || jsonb_build_object(${changes})) AS copy`,
  );

/** The statements that look at more pages than those of few rows by their keys do. */
const readingMuch = (query: Query) =>
  query<{ query: string; pages: number }>(
    `SELECT s.query, ((s.shared_blks_hit + s.shared_blks_read) / s.calls)::int AS pages
     FROM pg_stat_statements AS s JOIN pg_database AS d ON d.oid = s.dbid AND d.datname = current_database()
     WHERE s.query LIKE '%durable_%' AND (s.shared_blks_hit + s.shared_blks_read) / s.calls > 100
     ORDER BY pages DESC`,
  );

/** Just-in-time compilation is on by default, and takes longer than what we ask for. The PostgreSQL of the other tests has none. */
describeWithProgram('postgres', 'on a PostgreSQL with the settings that it has by default', (program) => {
  let server: RunningServer;
  let at: Backend;
  beforeAll(async () => {
    server = await startPostgres({ bin: dirname(program), flags: STATISTICS.flatMap((setting) => ['-c', setting]) });
    at = backendOf('typeorm', 'postgres', server.address);
  });
  afterAll(() => server?.stop());

  /** What was compiled in the database since. */
  async function counting(query: Query): Promise<() => Promise<unknown[]>> {
    await query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await query('SELECT pg_stat_statements_reset()');
    return async () =>
      (
        await query<{ query: string }>(
          `SELECT s.query FROM pg_stat_statements AS s JOIN pg_database AS d ON d.oid = s.dbid AND d.datname = current_database()
           WHERE s.jit_functions > 0`,
        )
      ).map(({ query: text }) => text);
  }

  it.each(ORDERINGS)('nothing is compiled to publish events, in the order of "%s"', async (ordering) => {
    const house = await RelayHouse.open(at, ordering);
    try {
      const { query } = house.backend;
      const compiled = await counting(query);
      const outbox = new Outbox(new SqlOutboxWriter(house.db, house.tables, SILENT, ordering), { payloadBytes: 1_000 });
      await outbox.publish({ channel: 'a', name: 'own' });
      await inTransaction(house.backend, 'READ COMMITTED', async (transaction) => {
        await outbox.publish({ channel: 'b', name: 'joined' }, { transaction });
      });
      await query(
        `INSERT INTO durable_outbox (mutation_id, channel, name) VALUES ('m', 'c', 'plain'), ('n', 'd', 'plain')`,
      );
      await house.start();
      await until('all are delivered', () => house.log.length === 4);
      expect(await compiled()).toEqual([]);
      // Otherwise it would have been counted.
      await query(`DO $$ BEGIN SET LOCAL jit_above_cost = 0; PERFORM count(*) FROM durable_outbox; END $$`);
      const [{ compiles }] = (await query('SELECT pg_jit_available() AS compiles')) as [{ compiles: boolean }];
      expect((await compiled()).length > 0).toBe(compiles);
    } finally {
      await house.close();
    }
  });

  it('nothing is compiled to play runs, to dispatch, claim, report and collect', async () => {
    const { house, close } = await openSqlHouse(at);
    try {
      const compiled = await counting(house.backend!.query);
      const process = await house.boot({
        handlers: { far: (input) => input },
        workflows: {
          child: async (ctx) => ctx.step('near', () => 1),
          order: async (ctx) => {
            await Promise.all([ctx.remote('far', 1), ctx.remote('far', 2)]);
            await ctx.executeChild('child', null);
            await ctx.waitForSignal('go', GO);
            await ctx.sleep('pause', 1);
          },
        },
      });
      const { id } = await process.client.start('order');
      await process.client.signal(GO, null, { workflowId: id });
      await process.client.result(id);
      await process.client.list({});
      await process.client.explain(id);
      expect(await compiled()).toEqual([]);
    } finally {
      await house.close();
      await close();
    }
  });

  it('no statement that was planned while the tables were empty reads much of them later', async () => {
    const { house, close } = await openSqlHouse(at);
    const { query } = house.backend!;
    try {
      await query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
      for (const table of ['durable_runs', 'durable_steps', 'durable_transport_tasks'])
        await query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
      const process = await house.boot({
        handlers: { far: (input) => input },
        workflows: {
          order: async (ctx) => {
            await ctx.step('near', () => 1);
            return ctx.remote<number>('far', 2);
          },
        },
      });
      const play = () => process.client.startAndWait('order', null);
      // Each session plans each statement once. There are several, and which of them does what is a matter of chance.
      for (let n = 0; n < 10; n++) await Promise.all(Array.from({ length: 8 }, play));
      const parked = `'id', 'p' || n, 'status', 'suspended', 'finished_at', NULL, 'wake_at', 9e15::bigint`;
      await multiply(query, 'durable_runs', parked);
      await multiply(query, 'durable_steps', `'run_id', 'p' || n, 'status', 'pending'`);
      await query(
        `INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, attempt, status, created_at)
         SELECT 'p' || n, 'p' || n, 1, 'elsewhere', 'elsewhere', 1, 'pending', n FROM generate_series(1, ${MANY}) AS n`,
      );
      // It reads all runs, a page of a thousand at a time, every 20 seconds. To write the rows above may take as long.
      await process.engine.loops.stranded.stop();
      await query('SELECT pg_stat_statements_reset()');
      for (let n = 0; n < 20; n++) expect(await play()).toBe(2);
      expect(await readingMuch(query)).toEqual([]);
    } finally {
      await house.close();
      await close();
    }
  });

  it('nothing is compiled to make calls', async () => {
    const effects = await effectsDatabase(at);
    try {
      const compiled = await counting(effects.backend.query);
      const fixture = effects.fixture();
      await enqueue(fixture, calls('a', 'b', 'c'));
      const [a, b, c] = await claim(fixture);
      await fixture.storage.claims.extend([{ ...a!.claim, leaseMs: LEASE_MS }]);
      await fixture.storage.settlements.settle(a!, SUCCEEDED);
      await fixture.storage.settlements.settle(b!, ABANDONED);
      await fixture.storage.claims.release([c!.claim]);
      expect(await compiled()).toEqual([]);
    } finally {
      await effects.close();
    }
  });
});
