import type { NewRun } from '../../../lib/engine/run.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import type { Transaction } from '../../../lib/core/transaction.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

const newRun = (id: string, input = 'null'): NewRun => ({
  id,
  namespace: '',
  workflow: 'order',
  version: 1,
  input,
  priority: 0,
  delayMs: 0,
});

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";

const remote = async (ctx: WorkflowContext) => ctx.remote<string>('serve', 'x');

describeHouses('what is wrong with one run', (house) => {
  it('is its own: an input that cannot be read blocks it, and holds up none that was taken with it', async () => {
    const process = await house().boot({
      engine: false,
      role: 'engine',
      nodeLeaseMs: 60_000,
      workflows: { order: async () => 'played' },
    });
    const ids = ['a', 'b', 'c'];
    await process.storage.catalog.create([newRun('a'), newRun('b', 'NaN'), newRun('c')]);
    await process.start();
    await until('all came to an end', async () =>
      (await Promise.all(ids.map((id) => process.client.getStatus(id)))).every(
        ({ status, reason }) => status === 'completed' || reason,
      ),
    );
    expect((await process.client.getStatus('b')).reason).toBe('programming_error');
    expect((await process.client.getStatus('b')).reasonDetail).toContain('UnreadablePayloadError');
  });

  it('is its own: a backoff that is none blocks it before anything is asked', async () => {
    const process = await house().boot({
      workflows: {
        bad: (ctx) => ctx.remote('serve', 'x', { retry: { backoff: { delay: 'soon' as never } } }),
        good: remote,
      },
      handlers: {
        serve: () => {
          throw new Error('not today');
        },
      },
      retry: false,
    });
    const bad = await process.client.start('bad');
    const good = await process.client.start('good');
    await expect(good.result({ timeout: '120s' })).rejects.toThrow('not today');
    const blocked = await until('it is blocked', async () => {
      const status = await bad.status();
      return status.reason && status;
    });
    expect(blocked.reasonDetail).toContain('backoff.delay is "soon"');
  });

  it('keeps none of the blocked runs of other workflows from being tried by a new process', async () => {
    const wrong = async () => (undefined as unknown as { fn(): void }).fn();
    const first = await house().boot({ workflows: { few: wrong, many: wrong } });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const id of ids) await first.client.start('many', null, { id });
    await first.client.start('few', null, { id: 'z' });
    await until('all are blocked', async () => (await first.client.list({ blocked: true })).runs.length === 8);
    await first.stop();
    first.kill();
    const right = async () => 'right';
    const second = await house().boot({ workflows: { many: right, few: right }, batchSize: 4 });
    for (const id of [...ids, 'z']) expect(await second.client.result(id, { timeout: '120s' })).toBe('right');
  });
});

describeSqlHouses(
  'a transaction that is open',
  (house) => {
    it('of an app that starts a run which is there already, keeps the engine from nothing', async () => {
      const held = gate();
      const process = await house().boot({
        workflows: {
          order: async (ctx: WorkflowContext) => {
            await ctx.step('begun', () => 1);
            await held.opened;
            return ctx.step('after', () => 2);
          },
        },
      });
      const { id } = await process.client.start('order', null, { id: 'r1' });
      await until('it has begun', async () => (await process.client.getStatus(id, { history: true })).history?.length);
      await process.storage.transactions.begin(async (transaction) => {
        const again = await process.client.start('order', null, { id, transaction });
        expect(again.created).toBe(false);
        held.open();
        expect(await process.client.result(id, { timeout: '120s' })).toBe(2);
      });
    });
  },
  { only: ({ db }) => db === 'postgres' },
);

describeSqlHouses(
  'a run that is given up while its owner commits',
  (house) => {
    it('has that commit in its order of outcomes: the next has a place of its own', async () => {
      const process = await house().boot({ engine: false, role: 'engine' });
      const { store, catalog, roster, transactions, dispatcher } = process.storage;
      await roster.beat({ id: 'n', namespace: '', roles: '' }, 60_000);
      await catalog.create([newRun('r1')]);
      const claim = { nodeId: 'n', namespace: '', workflows: [{ name: 'order', version: 1 }], limit: 1, which: 'due' };
      const [run] = await store.claim(claim as never);
      const { epoch } = run!;
      const step = (seq: number, settled: number | null) => ({
        runId: 'r1',
        seq,
        kind: 'remote' as const,
        name: 's',
        attempt: 0,
        failures: 0,
        deferrals: 0,
        askedAt: null,
        worker: null,
        settled,
        output: '1',
        error: null,
        ref: null,
        status: settled ? ('completed' as const) : ('pending' as const),
        wakeAt: null,
        createdAt: 1,
        startedAt: 1,
        finishedAt: null,
      });
      const write = { runId: 'r1', epoch, tasks: [], takes: [], withdraws: [] };
      const nothing = async () => undefined;
      await store.commit([{ ...write, steps: [step(0, null), step(1, null)] }], nothing);
      let released: Promise<void> | undefined;
      await transactions.begin(async (_, tx: Transaction) => {
        await store.commit([{ ...write, steps: [step(0, 1)] }], nothing, tx);
        released = store.release([{ runId: 'r1', epoch, owner: 'n' }], false);
        await until('the release waits', async () => (await house().backend!.query(WAITING)).length > 0);
      });
      await released;
      const answer = { stepId: 'r1:1', runId: 'r1', seq: 1, status: 'completed' as const };
      const times = { output: '2', error: null, startedAt: 1, createdAt: 1 };
      await store.settleUnowned('', [{ ...answer, ...times }], (ids, tx) => dispatcher.take(ids, tx));
      const places = (await store.histories(['r1'])).sort((a, b) => a.seq - b.seq).map(({ settled }) => settled);
      expect(places).toEqual([1, 2]);
    });
  },
  { only: ({ db }) => db === 'postgres' },
);
