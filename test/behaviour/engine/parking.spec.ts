import type { WorkflowContext } from '../../../lib/engine/context.js';
import { ManualClock } from '../../../lib/core/time.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { describeHouses, describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('waits until each process hears notifications; one per role has nothing to hear');

const TEN_YEARS = 3_650 * 86_400_000;
const clock = new ManualClock();

describeHouses(
  'a long sleep',
  (house) => {
    /** Lets time pass for everybody. */
    const pass = async (process: Process, ms: number) => {
      clock.advance(ms);
      await process.engine.heartbeat.beat();
      process.timers.fire();
      process.engine.wake();
    };

    it('of ten years parks at once, costs nothing, and ends after ten years, not before (E3, P4)', async () => {
      let entered = 0;
      const body = async (ctx: WorkflowContext) => {
        entered++;
        const before = ctx.now();
        await ctx.sleep('decade', TEN_YEARS);
        return [before, ctx.now()];
      };
      const process = await house().boot({ workflows: { order: body } });
      const { id } = await process.client.start('order');
      const parked = await until('it is parked', async () => {
        const status = await process.client.getStatus(id);
        return status.status === 'suspended' && process.engine.residents.size === 0 ? status : undefined;
      });
      expect(parked.wakeAt!.getTime()).toBeGreaterThanOrEqual(clock.now() + TEN_YEARS);
      expect(parked.wakeAt!.getTime()).toBeLessThanOrEqual(clock.now() + TEN_YEARS + 10_000);
      for (const ms of [25 * 86_400_000, 2 ** 31, TEN_YEARS / 2]) {
        await pass(process, ms);
        await process.engine.claimer.tick();
        expect((await process.client.getStatus(id)).status).toBe('suspended');
      }
      expect(entered).toBe(1);
      await pass(process, TEN_YEARS);
      const [before, after] = await process.client.result<[Date, Date]>(id);
      expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(TEN_YEARS);
      expect(entered).toBe(2);
    });

    it.each(['sleep', 'sleepUntil'] as const)(
      'until a date (%s) ends at the date of its first call, whatever date a replay passes',
      async (call) => {
        const end = new Date(clock.now() + 86_400_000);
        let entered = 0;
        const process = await house().boot({
          workflows: { order: (ctx) => ctx[call]('due', new Date(end.getTime() + 86_400_000 * entered++)) },
        });
        const { id } = await process.client.start('order');
        const parked = await until('it is parked', async () => {
          const status = await process.client.getStatus(id);
          return status.status === 'suspended' && process.engine.residents.size === 0 ? status : undefined;
        });
        expect(parked.wakeAt).toEqual(end);
        await pass(process, 86_400_000 - 60_000);
        await process.engine.claimer.tick();
        expect((await process.client.getStatus(id)).status).toBe('suspended');
        await pass(process, 60_000);
        await process.client.result(id);
        expect(entered).toBe(2);
      },
    );

    it('until a date in the past returns at once, and one until no date throws', async () => {
      const codeOf = (error: { code?: string }) => error.code;
      const process = await house().boot({
        workflows: {
          order: async (ctx) => [
            await ctx.sleepUntil('past', new Date(0)),
            await Promise.resolve()
              .then(() => ctx.sleepUntil('none', new Date(Number.NaN)))
              .catch(codeOf),
            await Promise.resolve()
              .then(() => ctx.sleep('none', new Date(Number.NaN)))
              .catch(codeOf),
            await Promise.resolve()
              .then(() => ctx.sleepUntil('text', '2030-01-01' as never))
              .catch(codeOf),
          ],
        },
      });
      const { id } = await process.client.start('order');
      const invalid = 'INVALID_ARGUMENT';
      expect(await process.client.result(id)).toEqual([undefined, invalid, invalid, invalid]);
      const { history } = await process.client.getStatus(id, { history: true });
      expect(history).toMatchObject([{ kind: 'sleep', name: 'past', wakeAt: null, status: 'completed' }]);
    });

    it('within residency ends by its timer, without another replay', async () => {
      let entered = 0;
      const process = await house().boot({
        workflows: {
          order: async (ctx) => {
            entered++;
            await ctx.sleep('nap', 20_000);
            return 'awake';
          },
        },
      });
      const { id } = await process.client.start('order');
      await until(
        'it sleeps',
        async () => (await process.client.getStatus(id, { history: true })).history!.length === 1,
      );
      await pass(process, 20_000);
      expect(await process.client.result(id)).toBe('awake');
      expect(entered).toBe(1);
    });
  },
  { clock },
);

describeHouses('a run that waits', (house) => {
  it('is forgotten after its residency, and played again when the answer comes', async () => {
    let entered = 0;
    const process = await house().boot({
      residencyMs: 40,
      workflows: {
        order: async (ctx) => {
          entered++;
          const [first, nap] = await Promise.all([ctx.remote('far'), ctx.sleep('nap', 60).then(() => 'nap')]);
          return [first, nap];
        },
      },
    });
    const { id } = await process.client.start('order');
    await until('only the answer is missing', async () => {
      const { history } = await process.client.getStatus(id, { history: true });
      return history!.some(({ kind, status }) => kind === 'sleep' && status === 'completed');
    });
    const parked = await until('it is parked', async () => {
      const status = await process.client.getStatus(id);
      return status.status === 'suspended' && process.engine.residents.size === 0 ? status : undefined;
    });
    expect(parked).toMatchObject({ reason: null, wakeAt: null });
    process.serve({ far: () => 'answer' });
    expect(await process.client.result(id)).toEqual(['answer', 'nap']);
    expect(entered).toBeGreaterThanOrEqual(2);
  });

  it('makes room for others when too many are in memory', async () => {
    const process = await house().boot({
      maxResident: 10,
      // Nobody leaves because of it.
      residencyMs: 3_600_000,
      workflows: { order: (ctx) => ctx.remote('far') },
    });
    const handles = await Promise.all(Array.from({ length: 30 }, () => process.client.start('order')));
    await until('all have asked', async () => {
      await process.engine.residents.tick();
      process.engine.wake();
      const lost = await process.storage.dispatcher.lost(handles.map(({ id }) => `${id}:0`));
      return lost.length === 0;
    });
    expect(process.engine.residents.size).toBeLessThanOrEqual(10);
    process.serve({ far: () => 1 });
    expect(await Promise.all(handles.map((handle) => handle.result()))).toEqual(Array(30).fill(1));
  });
});

/** Longer than a test may take: what ends has been told of. */
const POLL_MS = 600_000;

describeSqlHouses(
  'an idle system',
  (house) => {
    it('is woken in milliseconds by a start, an answer and an end in other processes (P5)', async () => {
      const quiet = { pollMs: POLL_MS, residencyMs: 30_000 };
      const engine = await house().boot({ ...quiet, workflows: { order: (ctx, n: number) => ctx.remote('far', n) } });
      const worker = await house().boot({ ...quiet, engine: false });
      worker.serve({ far: (n: number) => n }, { pollMs: POLL_MS, leaseMs: 2 * POLL_MS });
      const client = await house().boot({ ...quiet, engine: false });
      await client.client.startAndWait('order', 0);
      for (const { storage } of [engine, worker, client])
        await until('notifications arrive', () => storage.notified!());
      for (let n = 0; n < 20; n++) expect(await client.client.startAndWait('order', n)).toBe(n);
    });

    it('begins a run milliseconds after the commit of its transaction (N1)', async () => {
      const engine = await house().boot({ pollMs: POLL_MS, workflows: { order: async (_, n: number) => n } });
      const client = await house().boot({ pollMs: POLL_MS, engine: false });
      await until('notifications arrive', () => engine.storage.notified!());
      for (let n = 0; n < 20; n++) {
        const handle = await inAppTransaction(house().backend!.orm, client.storage.handle, (tx) =>
          client.client.start('order', n, { transaction: tx.handle }),
        );
        expect(await handle.result()).toBe(n);
      }
    });
  },
  { only: ({ db }) => db === 'postgres' },
);
