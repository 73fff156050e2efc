import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { Retention } from '../../../lib/engine/upkeep.js';
import { systemClock } from '../../../lib/core/time.js';
import { type Backend, backends, type OpenBackend, chosen } from '../../support/backends.js';
import { crowd, numbersTable } from '../../support/crowded-tables.js';
import { emptyTables } from '../../support/empty-tables.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { type Explained, explained } from '../../support/explaining-executor.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

/** As many as make PostgreSQL use the indexes: of half as many it reads some tables whole. */
const ROWS = 40_000;
/**
 * A row per process, per schedule, per migration, or per run whose erasure waits for its end; and answers, which are
 * empty here and have a spec of their own.
 */
const SMALL = new Set([
  ...['durable_nodes', 'durable_schedules', 'durable_migrations', 'durable_erasures'],
  'durable_transport_results',
]);
const GROWING = [
  ...[
    'runs',
    'steps',
    'run_dependencies',
    'step_attempts',
    'step_logs',
    'run_attributes',
    'signals',
    'signal_channels',
  ],
  ...['signal_waits', 'start_keys', 'limiters', 'limiter_entries', 'transport_tasks', 'transport_results'],
].map((name) => `durable_${name}`);

/**
 * Where PostgreSQL may read a table of this size at once: pages for people and for the slow sweeps, before anybody has
 * analysed the table or where half of it is wanted; and writes by a list, of which it expects a hundred rows.
 */
const TOLERATED = new Set([
  'SELECT runs: durable_runs',
  'SELECT start_keys: durable_start_keys',
  'DELETE run_dependencies: durable_run_dependencies',
  'UPDATE signals: durable_signals',
]);

const go = new WorkflowSignal<number>('go');

/** A bit of everything, on one process. */
async function work({ executor }: Explained, lists: boolean): Promise<void> {
  const storage = await sqlStorageOn(executor);
  const parts = engineParts(storage, { pollMs: 100, residencyMs: 200, nodeLeaseMs: 900 });
  const worker = workerOn(storage, {
    double: (n: number) => n * 2,
    slow: () => new Promise((r) => setTimeout(r, 600)),
  });
  parts.define('child', async (ctx: WorkflowContext, n: number) => ctx.step('one', () => n + 1));
  parts.define('other', async () => 'other');
  parts.define('work', async (ctx: WorkflowContext, n: number) => {
    ctx.setAttributes({ tier: `t-${n}` });
    await ctx.step('local', (step) => (step.log?.info?.('hello'), n), { compensate: () => undefined });
    const doubled = await ctx.remote<number>('double', n);
    await ctx.sleep('nap', 20);
    const child = await ctx.executeChild('child', n);
    const signal = await ctx.waitForSignal('go', go, { key: `key-${n}` });
    // Long enough to be parked: its answer is for whoever finds it.
    await ctx.remote('slow');
    return [doubled, child, signal];
  });
  parts.registry.register({
    name: 'limited',
    version: 1,
    runner: { run: async (ctx: WorkflowContext) => ctx.sleep('nap', 20) },
    limits: { concurrency: { limit: 2 } },
  });
  await parts.start();
  const { client } = parts;
  const runs = await Promise.all([1, 2, 3].map((n) => client.start('work', n)));
  const limited = await Promise.all([1, 2, 3, 4, 5].map((n) => client.start('limited', n)));
  const after = await client.start('other', null, { after: [runs[0]!.id] });
  await until('signals are waited for', async () => {
    for (const n of [1, 2, 3]) await client.signal(go, n, { key: `key-${n}`, id: `s${n}` });
    return true;
  });
  const doomed = await client.start('work', 9);
  await until('it runs', async () => (await client.getStatus(doomed.id)).status !== 'pending');
  await client.cancel(doomed.id);
  await Promise.all([...runs, ...limited, after].map((handle) => handle.result({ timeout: '120s' })));
  await client.getStatus(runs[0]!.id, { history: true });
  if (lists) {
    for (const query of [{}, { status: 'running' }, { workflow: 'work' }, { blocked: true }] as const) {
      const { cursor } = await client.list({ ...query, limit: 5 });
      if (cursor) await client.list({ ...query, limit: 5, cursor });
    }
  }
  await parts.engine.strandedSweep.tick();
  const retention = new Retention(
    { storage, telemetry: parts.telemetry, clock: systemClock, namespace: '' },
    { keepMs: { completed: 0, cancelled: 1_000 }, signalsMs: 0, batchSize: 10, everyMs: 1_000 },
  );
  await retention.look();
  await client.delete(after.id);
  await worker.stop();
  await parts.stop();
  await storage.close();
}

const states = (backend: OpenBackend): [string, (fill: () => Promise<void>) => Promise<void>][] => {
  const analyse = async () => {
    for (const table of GROWING)
      await backend.query(backend.db === 'postgres' ? `ANALYZE ${table}` : `ANALYZE TABLE ${table}`);
  };
  const bloat = async () => {
    for (const table of GROWING) await backend.query(`DELETE FROM ${table}`);
  };
  if (backend.db !== 'postgres') return [['analysed', (fill) => fill().then(analyse)]];
  return [
    ['freshly filled', (fill) => fill()],
    ['analysed', (fill) => fill().then(analyse)],
    ['analysed empty, then filled', (fill) => analyse().then(fill)],
    ['bloated, then filled again', (fill) => fill().then(analyse).then(bloat).then(fill)],
  ];
};

const describePlans = (at: Backend): void =>
  describe(`no statement of the engine reads a whole table [${at.name}]`, () => {
    let backend: OpenBackend;
    beforeAll(async () => {
      backend = await at.open();
      const storage = await sqlStorageOn(executorOf(backend));
      await storage.close();
      await numbersTable(backend.query, ROWS);
      if (at.db === 'postgres')
        for (const table of GROWING) await backend.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    });
    afterAll(() => backend.close());

    it('in any state of the tables', async () => {
      const found: string[] = [];
      for (const [state, prepare] of states(backend)) {
        await emptyTables(backend);
        await prepare(() => crowd(backend.query, ROWS));
        const watched = explained(executorOf(backend), SMALL);
        await work(watched, state === 'analysed');
        for (const { statement, scanned, text } of watched.scans)
          if (at.db !== 'postgres' || !TOLERATED.has(`${statement}: ${scanned}`))
            found.push(`${state}: ${statement}: ${scanned}\n${text}`);
        expect(watched.looked).toBeGreaterThan(30);
      }
      expect(found).toEqual([]);
    });
  });

for (const at of chosen(
  'plans',
  backends.filter(({ orm }) => orm === 'typeorm'),
))
  describePlans(at);
