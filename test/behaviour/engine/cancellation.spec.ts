import type { StartOptions } from '../../../lib/engine/starts.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { ParentClose } from '../../../lib/engine/run.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import type { StepContext } from '../../../lib/core/protocol.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;

/** How a run is ended from outside, and what becomes of it. */
type How = 'cancel' | 'terminate' | 'timeout';
const CODES = { cancel: 'WORKFLOW_CANCELLED', terminate: 'WORKFLOW_TERMINATED', timeout: 'WORKFLOW_TIMEOUT' } as const;
const HOWS: How[] = ['cancel', 'terminate', 'timeout'];
/** Less than any lease. */
const TIMEOUT_MS = 4_000;
const clock = new ManualClock();

/** What has happened in one test. */
interface Told {
  undone: string[];
  aborted: string[];
  /** What had been aborted when the client heard that the run was ended. */
  abortedAtOnce?: string[];
}

/** A step that can be undone, and then whatever `then` does. */
const body =
  (told: Told, then: (ctx: WorkflowContext) => Promise<unknown>) =>
  async (ctx: WorkflowContext): Promise<unknown> => {
    await ctx.step('a', () => 'a', { compensate: (output: string) => void told.undone.push(output) });
    ctx.signal.addEventListener('abort', () => told.aborted.push('run'));
    return then(ctx);
  };

/** Ends it, and sees that it has the status, the error and the compensations that this means. */
async function endAndSee(process: Process, id: string, how: How, told: Told, undone: string[]): Promise<void> {
  const { client } = process;
  if (how === 'timeout') clock.advance(TIMEOUT_MS + 1);
  else expect(await client[how](id)).toBe(true);
  told.abortedAtOnce = [...told.aborted];
  await expect(client.result(id)).rejects.toMatchObject({ code: CODES[how] });
  const status = await client.getStatus(id);
  expect(status).toMatchObject({ status: how === 'timeout' ? 'failed' : 'cancelled', reason: null, wakeAt: null });
  expect(told.undone).toEqual(how === 'terminate' ? [] : undone);
  expect(await client.cancel(id)).toBe(false);
  expect(await client.terminate(id)).toBe(false);
}

const startOptions = (how: How, id = 'r1'): StartOptions => ({ id, ...(how === 'timeout' && { timeout: TIMEOUT_MS }) });

describeHouses(
  'ending a run early',
  (house) => {
    it.each(HOWS)('%s: one that nobody has begun ends at once', async (how) => {
      const told: Told = { undone: [], aborted: [] };
      let played = false;
      const process = await house().boot({
        engine: how === 'timeout',
        // Taken when its time is up, since nobody was there before.
        workflows: how === 'timeout' ? {} : { order: body(told, async () => (played = true)) },
      });
      await process.client.start('order', null, startOptions(how));
      if (how === 'timeout') {
        clock.advance(TIMEOUT_MS + 1);
        process.define(
          'order',
          body(told, async () => (played = true)),
        );
        process.engine.wake();
      }
      await endAndSee(process, 'r1', how, told, []);
      expect(played).toBe(false);
    });

    it.each(HOWS)(
      '%s: one in a step here has the step’s signal aborted at once, and its answer does not count (N9)',
      async (how) => {
        const told: Told = { undone: [], aborted: [] };
        const [inside, go] = [gate(), gate()];
        const process = await house().boot({
          workflows: {
            order: body(told, (ctx) =>
              ctx.step('slow', async ({ signal }) => {
                signal.addEventListener('abort', () => told.aborted.push('step'));
                inside.open();
                await go.opened;
              }),
            ),
          },
        });
        await process.client.start('order', null, startOptions(how));
        await inside.opened;
        await endAndSee(process, 'r1', how, told, ['a']);
        expect(told.aborted.sort()).toEqual(['run', 'step']);
        // By what this process says to itself, not by looking for it now and then.
        if (how !== 'timeout') expect(told.abortedAtOnce!.sort()).toEqual(['run', 'step']);
        const before = await process.client.getStatus('r1', { history: true });
        go.open();
        await process.client.start('order', null, { id: 'marker', delay: '1h' });
        expect(await process.client.getStatus('r1', { history: true })).toEqual(before);
        expect(before.history!.map(({ name }) => name)).toEqual(how === 'terminate' ? ['a'] : ['a', 'a']);
      },
    );

    it.each(['cancel', 'terminate'] as const)(
      '%s: a step in another process has its signal aborted long before a heartbeat says so (N9)',
      async (how) => {
        const told: Told = { undone: [], aborted: [] };
        const inside = gate();
        await house().boot({
          // A heartbeat every 20 s, which is later than anything here is waited for.
          nodeLeaseMs: 60_000,
          workflows: {
            order: body(told, (ctx) =>
              ctx.step('slow', async ({ signal }) => {
                inside.open();
                await new Promise<void>((resolve) =>
                  signal.addEventListener('abort', () => {
                    told.aborted.push('step');
                    resolve();
                  }),
                );
              }),
            ),
          },
        });
        const elsewhere = await house().boot({ engine: false });
        const { id } = await elsewhere.client.start('order', null, { id: 'r1' });
        await inside.opened;
        await elsewhere.client[how](id);
        await until('its signal aborts', () => told.aborted.includes('step'));
        await expect(elsewhere.client.result(id)).rejects.toMatchObject({ code: CODES[how] });
      },
    );

    it.each(HOWS)(
      '%s: one that has asked a worker has its task withdrawn, also one that nobody has taken (T22)',
      async (how) => {
        const told: Told = { undone: [], aborted: [] };
        let ran = 0;
        const process = await house().boot({ workflows: { order: body(told, (ctx) => ctx.remote('far')) } });
        await process.client.start('order', null, startOptions(how));
        await until('the task is there', async () => (await process.storage.dispatcher.lost(['r1:1'])).length === 0);
        await endAndSee(process, 'r1', how, told, ['a']);
        expect(await process.storage.dispatcher.lost(['r1:1'])).toEqual(['r1:1']);
        process.serve({ far: () => void ran++, marker: () => 1 });
        process.define('marker', (ctx) => ctx.remote('marker'));
        await process.client.startAndWait('marker');
        expect(ran).toBe(0);
      },
    );

    it.each(HOWS)('%s: a handler that works for it loses its lease, and its answer does not count', async (how) => {
      const told: Told = { undone: [], aborted: [] };
      const [inside, go] = [gate(), gate()];
      const process = await house().boot({
        workflows: { order: body(told, (ctx) => ctx.remote('far')) },
        worker: { leaseMs: 30_000 },
        handlers: { far: () => (inside.open(), go.opened.then(() => 'late')) },
      });
      await process.client.start('order', null, startOptions(how));
      await inside.opened;
      await endAndSee(process, 'r1', how, told, ['a']);
      go.open();
      const answers = async () => (await process.storage.dispatcher.peek(10)).answers;
      expect(await answers()).toEqual([]);
    });

    it.each(HOWS)('%s: the signal of a handler in this process aborts at once', async (how) => {
      const told: Told = { undone: [], aborted: [] };
      const inside = gate();
      const process = await house().boot({
        workflows: { order: body(told, (ctx) => ctx.remote('far')) },
        // It is renewed for the first time long after the test.
        worker: { leaseMs: 3_600_000 },
        handlers: {
          far: async (_: never, { signal }: StepContext) => {
            inside.open();
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
            told.aborted.push('handler');
          },
        },
      });
      await process.client.start('order', null, startOptions(how));
      await inside.opened;
      await endAndSee(process, 'r1', how, told, ['a']);
      await until('it aborts', () => told.aborted.includes('handler'));
    });

    it.each(HOWS)('%s: one that is parked in a sleep ends, and sleeps no longer', async (how) => {
      const told: Told = { undone: [], aborted: [] };
      const order = body(told, (ctx) => ctx.sleep('long', '10d'));
      const process = await house().boot({ residencyMs: 1, workflows: { order } });
      await process.client.start('order', null, startOptions(how));
      await until('it is parked', async () => (await process.client.getStatus('r1')).status === 'suspended');
      await endAndSee(process, 'r1', how, told, ['a']);
      // Others may see the end before the engine hears that it is written.
      await until('nothing of it is in memory', () => process.engine.residents.size === 0);
    });

    it.each(HOWS)('%s: one that is blocked ends', async (how) => {
      const told: Told = { undone: [], aborted: [] };
      const process = await house().boot({
        workflows: { order: body(told, async () => (null as unknown as { x: number }).x) },
      });
      await process.client.start('order', null, startOptions(how));
      await until('it is blocked', async () => (await process.client.getStatus('r1')).reason === 'programming_error');
      await endAndSee(process, 'r1', how, told, ['a']);
    });

    it.each(HOWS)('%s: one whose process has died ends with the next', async (how) => {
      const told: Told = { undone: [], aborted: [] };
      const order = body(told, (ctx) => ctx.step('slow', () => new Promise(() => {})));
      const first = await house().boot({ workflows: { order } });
      await first.client.start('order', null, startOptions(how));
      await until(
        'a is recorded',
        async () => (await first.client.getStatus('r1', { history: true })).history!.length > 0,
      );
      first.kill();
      await house().bury(first);
      const second = await house().boot({ workflows: { order } });
      await endAndSee(second, 'r1', how, told, ['a']);
    });

    it('cancel of one that is being compensated changes nothing; terminate ends its compensation', async () => {
      const [inside, go, log] = [gate(), gate(), [] as string[]];
      const process = await house().boot({
        workflows: {
          order: async (ctx) => {
            await ctx.step('a', () => 1, { compensate: () => void log.push('a') });
            await ctx.step('b', () => 1, {
              compensate: async (_, { signal }) => {
                signal.addEventListener('abort', () => log.push('aborted'));
                inside.open();
                await go.opened;
              },
            });
            ctx.fail('no', 'ORIGINAL');
          },
        },
      });
      const handle = await process.client.start('order', null, { id: 'r1' });
      await inside.opened;
      expect(await handle.cancel()).toBe(true);
      expect(await handle.status()).toMatchObject({ status: 'compensating', error: { code: 'ORIGINAL' } });
      expect(log).toEqual([]);
      expect(await handle.terminate()).toBe(true);
      await expect(handle.result()).rejects.toMatchObject({ code: 'WORKFLOW_TERMINATED' });
      // Its owner hears of it when the client does, or a little later.
      await until('the signal to abort', () => log.length > 0);
      go.open();
      expect(log).toEqual(['aborted']);
    });

    it('a timeout does not come to a run that is being compensated, nor to one that has ended', async () => {
      const [inside, go, undone] = [gate(), gate(), [] as string[]];
      const process = await house().boot({
        workflows: {
          order: async (ctx, fails: boolean) => {
            await ctx.step('a', () => 1, {
              compensate: async () => {
                inside.open();
                await go.opened;
                undone.push('a');
              },
            });
            if (fails) ctx.fail('no', 'ORIGINAL');
            return 1;
          },
        },
      });
      const good = await process.client.start('order', false, { timeout: TIMEOUT_MS });
      expect(await good.result()).toBe(1);
      const failing = await process.client.start('order', true, { timeout: TIMEOUT_MS });
      await inside.opened;
      clock.advance(TIMEOUT_MS + 1);
      go.open();
      await expect(failing.result()).rejects.toMatchObject({ code: 'ORIGINAL' });
      expect(undone).toEqual(['a']);
      expect((await good.status()).status).toBe('completed');
    });

    it('a timeout ends a run that waits for others to end', async () => {
      const process = await house().boot({
        workflows: { order: async () => 1, blocker: (ctx) => ctx.sleep('long', '10d') },
      });
      await process.client.start('blocker', null, { id: 'blocker' });
      const handle = await process.client.start('order', null, { id: 'r1', timeout: TIMEOUT_MS, after: ['blocker'] });
      await until('it waits', async () => (await handle.status()).reason === 'waiting_for_runs');
      clock.advance(TIMEOUT_MS + 1);
      await expect(handle.result()).rejects.toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
      expect(await handle.status()).toMatchObject({ status: 'failed', error: { code: 'WORKFLOW_TIMEOUT' } });
    });

    it.each(HOWS)('%s: children are closed as was said when they were started, and those close theirs', async (how) => {
      const told: Told = { undone: [], aborted: [] };
      const process = await house().boot({
        workflows: {
          leaf: body(told, (ctx) => ctx.sleep('long', '10d')),
          middle: body(told, async (ctx) => {
            await ctx.startChild('leaf', null, { id: 'leaf', parentClose: 'cancel' });
            await ctx.sleep('long', '10d');
          }),
          order: async (ctx) => {
            const start = (workflow: string, id: string, parentClose: ParentClose) =>
              ctx.startChild(workflow, null, { id, parentClose });
            await start('middle', 'cancelled', 'cancel');
            await start('leaf', 'terminated', 'terminate');
            await start('leaf', 'abandoned', 'abandon');
            await ctx.sleep('long', '10d');
          },
        },
      });
      await process.client.start('order', null, startOptions(how));
      const ids = ['cancelled', 'terminated', 'abandoned', 'leaf'];
      const options = { history: true } as const;
      const all = async () =>
        Promise.all(ids.map((id) => process.client.getStatus(id, options).catch(() => undefined)));
      await until('all of them sleep', async () =>
        (await all()).every((run) => run?.history!.some(({ kind }) => kind === 'sleep')),
      );
      if (how === 'timeout') clock.advance(TIMEOUT_MS + 1);
      else await process.client[how]('r1');
      await expect(process.client.result('r1')).rejects.toMatchObject({ code: CODES[how] });
      await expect(process.client.result('cancelled')).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
      await expect(process.client.result('terminated')).rejects.toMatchObject({ code: 'WORKFLOW_TERMINATED' });
      await expect(process.client.result('leaf')).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
      expect((await process.client.getStatus('abandoned')).finishedAt).toBeNull();
      expect(told.undone).toEqual(['a', 'a']);
    });

    it('a run that ends by itself closes its children too', async () => {
      const told: Told = { undone: [], aborted: [] };
      const process = await house().boot({
        workflows: {
          leaf: body(told, (ctx) => ctx.sleep('long', '10d')),
          order: async (ctx, fails: boolean) => {
            await ctx.startChild('leaf', null, { id: `${ctx.workflowId}-leaf` });
            await ctx.step('a moment', () => 1);
            if (fails) ctx.fail('no', 'ORIGINAL');
            return 'done';
          },
        },
      });
      expect(await process.client.startAndWait('order', false, { id: 'good' })).toBe('done');
      const failing = process.client.startAndWait('order', true, { id: 'bad' });
      await expect(failing).rejects.toMatchObject({ code: 'ORIGINAL' });
      for (const id of ['good-leaf', 'bad-leaf'])
        await expect(process.client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    });
  },
  { clock },
);

describeHouses('a run that was ended', (house) => {
  it('retries of steps do not go on in a run that was ended between two of them', async () => {
    let tries = 0;
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.step('flaky', () => Promise.reject(new Error(`${++tries}`)), {
            retry: { attempts: 100, backoff: { ...NO_WAIT, delay: 40 } },
          }),
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    await until('it failed twice', () => tries >= 2);
    await process.client.cancel('r1');
    const after = tries;
    await process.client.start('order', null, { id: 'r2' });
    await until('another failed as often', () => tries >= after + 5);
    expect((await process.client.getStatus('r1')).status).toBe('cancelled');
    await process.client.cancel('r2');
  });
});

describeSqlHouses('ending a run early in the app’s transaction', (house) => {
  const inApp = <T>(process: Process, work: Parameters<typeof inAppTransaction<T>>[2], of: House = house()) =>
    inAppTransaction(of.backend!.orm, process.storage.handle, work);

  it('counts when that commits, for everybody at once, and never when it rolls back (P1)', async () => {
    const told: Told = { undone: [], aborted: [] };
    const inside = gate();
    const process = await house().boot({
      workflows: {
        order: body(told, (ctx) =>
          ctx.step('slow', async ({ signal }) => {
            inside.open();
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
            told.aborted.push('step');
          }),
        ),
      },
    });
    const handle = await process.client.start('order', null, { id: 'r1' });
    await inside.opened;
    const rolledBack = inApp(process, async ({ handle: transaction }) => {
      expect(await process.client.cancel('r1', { transaction })).toBe(true);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await handle.status()).toMatchObject({ status: 'running' });
    expect(told.aborted).toEqual([]);
    await inApp(process, async ({ handle: transaction }) => {
      await process.client.cancel('r1', { transaction });
      expect(told.aborted).toEqual([]);
    });
    await expect(handle.result()).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(told.aborted.sort()).toEqual(['run', 'step']);
    expect(told.undone).toEqual(['a']);
  });

  it('leaves nobody to do what was asked for after the snapshot that it reads', async () => {
    const told: Told = { undone: [], aborted: [] };
    const [inside, asks] = [gate(), gate()];
    const order = body(told, async (ctx) => {
      await ctx.step('wait', () => (inside.open(), asks.opened));
      await ctx.remote('charge', 1);
    });
    const process = await house().boot({ workflows: { order } });
    const { query, db } = house().backend!;
    const tasks = () => query('SELECT step_id FROM durable_transport_tasks');
    const handle = await process.client.start('order', null, { id: 'r1' });
    await inside.opened;
    await inApp(process, async (tx) => {
      if (db === 'postgres') await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await tx.query('SELECT count(*) FROM durable_runs');
      asks.open();
      await until('it has asked', async () => (await tasks()).length > 0);
      await process.client.cancel('r1', { transaction: tx.handle });
    });
    await expect(handle.result()).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(await tasks()).toEqual([]);
    expect(told.undone).toEqual(['a']);
  });
});
