import { stepIdOf } from '../../../lib/core/protocol.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { appLedger } from '../../support/app-ledger.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { claimOne, report } from '../../support/by-hand.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;

const coded = (code: string) => Object.assign(new Error(code.toLowerCase()), { code });

/** Fails after a remote step that another one undoes. */
const refused = async (ctx: WorkflowContext<unknown>) => {
  await ctx.remote('charge', 5, { compensate: 'refund' });
  ctx.fail('no');
};

describeHouses('compensation', (house) => {
  it('undoes what completed, the last call first, one after the other, with the original error at the end', async () => {
    const log: string[] = [];
    const afterC = gate();
    const undo = (what: string) => async (output: unknown) => {
      log.push(`undo ${what} of ${String(output)}`);
      await Promise.resolve();
      log.push(`undone ${what}`);
    };
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('a', () => 1, { compensate: undo('a') });
          await ctx.step('plain', () => 2);
          const slow = ctx.step('b', () => afterC.opened.then(() => 3), { compensate: undo('b') });
          const fast = ctx.step('c', () => 4, { compensate: undo('c') });
          await Promise.all([slow, fast.finally(() => afterC.open())]);
          await ctx.step('d', () => Promise.reject(coded('D_FAILED')), { retry: 1, compensate: undo('d') });
        },
      },
    });
    await expect(process.client.startAndWait('order', null, { id: 'r1' })).rejects.toMatchObject({
      name: 'Error',
      message: 'd_failed',
      code: 'D_FAILED',
    });
    const order = ['c of 4', 'c', 'b of 3', 'b', 'a of 1', 'a'];
    expect(log).toEqual(order.map((entry, i) => `${i % 2 ? 'undone' : 'undo'} ${entry}`));
    const { status, history, error } = await process.client.getStatus('r1', { history: true });
    expect([status, error]).toEqual(['failed', expect.objectContaining({ code: 'D_FAILED' })]);
    expect(history!.filter(({ seq }) => seq < 0)).toMatchObject([
      { seq: -4, kind: 'step', name: 'c', status: 'completed' },
      { seq: -3, kind: 'step', name: 'b', status: 'completed' },
      { seq: -1, kind: 'step', name: 'a', status: 'completed' },
    ]);
  });

  it('is seen as it goes on, has an idempotency key of its own, and is retried by the policy of its step', async () => {
    const [hold, seen] = [gate(), [] as unknown[]];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('a', ({ idempotencyKey }) => void seen.push(idempotencyKey), {
            retry: { attempts: 3, backoff: NO_WAIT },
            compensate: async (_, { idempotencyKey, attempt, seq }) => {
              seen.push([idempotencyKey, attempt, seq]);
              if (attempt < 3) throw new Error('not yet');
              await hold.opened;
            },
          });
          ctx.fail('out of stock', 'NO_STOCK');
        },
      },
    });
    const handle = await process.client.start('order', null, { id: 'r1' });
    await until('the third attempt', () => seen.length === 4);
    expect(await handle.status()).toMatchObject({ status: 'compensating', error: { code: 'NO_STOCK' } });
    hold.open();
    await expect(handle.result()).rejects.toMatchObject({ message: 'out of stock', code: 'NO_STOCK' });
    expect(seen).toEqual(['r1:0', ['r1:-1', 1, -1], ['r1:-1', 2, -1], ['r1:-1', 3, -1]]);
    expect(await handle.status()).toMatchObject({ status: 'failed', error: { code: 'NO_STOCK' } });
  });

  it('that gives up is loud, keeps the original error, and leaves the rest to retry', async () => {
    const undone: string[] = [];
    let broken = true;
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          for (const name of ['a', 'b', 'c'])
            await ctx.step(name, () => name, {
              retry: { attempts: 2, backoff: NO_WAIT },
              compensate: () => {
                if (name === 'b' && broken) throw coded('B_UNDO');
                undone.push(name);
              },
            });
          ctx.fail('no', 'ORIGINAL');
        },
      },
    });
    const handle = await process.client.start('order', null, { id: 'r1' });
    await expect(handle.result()).rejects.toMatchObject({
      code: 'B_UNDO',
      message: 'b_undo',
      cause: { code: 'ORIGINAL', message: 'no' },
    });
    expect(await handle.status()).toMatchObject({
      status: 'compensation_failed',
      error: { code: 'B_UNDO', cause: { code: 'ORIGINAL' } },
    });
    expect(undone).toEqual(['c']);
    expect(await process.client.cancel('r1')).toBe(false);
    broken = false;
    await process.client.retry('r1');
    await expect(handle.result()).rejects.toMatchObject({ code: 'ORIGINAL' });
    expect(undone).toEqual(['c', 'b', 'a']);
    await expect(process.client.retry('r1')).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_RESUMABLE',
      why: 'compensated',
    });
    await expect(process.client.retry('r2')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });

  it('that gives up keeps its own cause apart: a retry ends the cancelled run without an error', async () => {
    let broken = true;
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const compensate = () => {
            if (broken) throw new Error('not undone', { cause: coded('DISK_FULL') });
          };
          await ctx.step('a', () => 1, { retry: { attempts: 1 }, compensate });
          await ctx.remote('never');
        },
      },
    });
    const { client, storage } = process;
    await client.start('order', null, { id: 'r1' });
    await until('it waits', () => storage.catalog.step('r1', 1));
    await client.cancel('r1');
    await until('it gives up', async () => (await client.getStatus('r1')).status === 'compensation_failed');
    const { error } = await client.getStatus('r1');
    expect(error).toMatchObject({ message: 'not undone', errors: [{ code: 'DISK_FULL' }] });
    expect(error).not.toHaveProperty('cause');
    broken = false;
    await client.retry('r1');
    await until('it has ended', async () => (await client.getStatus('r1')).status === 'cancelled');
    expect((await client.getStatus('r1')).error).toBeNull();
  });

  it('does not reach behind the point of no return', async () => {
    const undone: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx, fails: boolean) => {
          const step = (name: string) => ctx.step(name, () => name, { compensate: () => void undone.push(name) });
          await step('a');
          ctx.commit('shipped');
          await step('b');
          if (fails) throw coded('LATE');
          await ctx.remote('never');
        },
      },
    });
    await expect(process.client.startAndWait('order', true)).rejects.toMatchObject({ code: 'LATE' });
    expect(undone).toEqual(['b']);
    const { id } = await process.client.start('order', false);
    await until('b is done', async () => (await process.client.getStatus(id, { history: true })).history!.length === 4);
    expect(await process.client.cancel(id)).toBe(true);
    await expect(process.client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(undone).toEqual(['b', 'b']);
  });

  it('of a remote step is a remote step that is given its output, or a function here', async () => {
    const calls: unknown[] = [];
    let failures = 1;
    const process = await house().boot({
      retry: { backoff: NO_WAIT },
      worker: { leaseMs: 30_000 },
      handlers: {
        charge: (amount: number) => ({ charged: amount }),
        refund: (charge: unknown) => {
          calls.push(charge);
          if (failures-- > 0) throw new Error('bank is closed');
        },
      },
      workflows: {
        order: async (ctx) => {
          await ctx.remote('charge', 5, { compensate: 'refund' });
          await ctx.remote<{ charged: number }>('charge', 7, {
            compensate: (charge, { idempotencyKey }) => void calls.push([charge, idempotencyKey]),
          });
          ctx.fail('no');
        },
      },
    });
    await expect(process.client.startAndWait('order', null, { id: 'r1' })).rejects.toMatchObject({ message: 'no' });
    expect(calls).toEqual([[{ charged: 7 }, 'r1:-2'], { charged: 5 }, { charged: 5 }]);
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history).toMatchObject([
      { seq: -2, kind: 'step', name: 'charge' },
      { seq: -1, kind: 'remote', name: 'refund', failures: 1, status: 'completed' },
      { seq: 0 },
      { seq: 1 },
    ]);
  });

  it('of a remote step waits parked for its worker, and goes on when it answers', async () => {
    const process = await house().boot({
      residencyMs: 1,
      handlers: { charge: () => 1 },
      workflows: { order: refused },
    });
    const handle = await process.client.start('order');
    await until('it is parked in its compensation', async () => {
      await process.engine.residents.tick();
      const { status, history } = await process.client.getStatus(handle.id, { history: true });
      return status === 'compensating' && process.engine.residents.size === 0 && history!.length === 2;
    });
    process.serve({ refund: () => 'back' });
    await expect(handle.result()).rejects.toMatchObject({ message: 'no' });
  });

  it('of a remote step is done whatever its worker answers, also with what no codec has written', async () => {
    const process = await house().boot({
      handlers: { charge: () => 1 },
      workflows: { order: refused },
    });
    const handle = await process.client.start('order');
    await report(process, await claimOne(process, 'refund'), { output: 'ok' });
    await expect(handle.result()).rejects.toMatchObject({ message: 'no' });
    expect(await handle.status()).toMatchObject({ status: 'failed' });
  });

  it('whose task was lost is woken by the sweep while it is parked', async () => {
    let claimed = 0;
    const process = await house().boot({
      residencyMs: 1,
      handlers: { charge: () => 1 },
      hooks: {
        after: (call, _, runs) => {
          if (call === 'store.claim') claimed += (runs as unknown[]).length;
        },
      },
      workflows: { order: refused },
    });
    const handle = await process.client.start('order', null, { id: 'r1' });
    await until('it is parked in its compensation', async () => {
      await process.engine.residents.tick();
      const lost = await process.storage.dispatcher.lost(['r1:-1']);
      return process.engine.residents.size === 0 && lost.length === 0;
    });
    await process.storage.dispatcher.withdraw(['r1:-1']);
    const before = claimed;
    await process.engine.strandedSweep.tick();
    process.engine.wake();
    // It may be parked again at any moment, so its being in memory is nothing to wait for.
    await until('it is played', () => claimed > before);
    // A run in memory asks again by itself after a while; here its answer is what ends it.
    await process.storage.answers.answer([
      {
        stepId: 'r1:-1',
        runId: 'r1',
        seq: -1,
        status: 'completed',
        output: '1',
        error: null,
        startedAt: 1,
        createdAt: 1,
      },
    ]);
    await expect(handle.result()).rejects.toMatchObject({ message: 'no' });
  });

  it('of a run whose other branch still works aborts that, and what that says later counts for nothing', async () => {
    const [inside, go] = [gate(), gate()];
    const seen: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('a', () => 1, { compensate: () => void seen.push('undo a') });
          await Promise.all([
            ctx.step(
              'slow',
              async ({ signal }) => {
                signal.addEventListener('abort', () => seen.push('aborted'));
                inside.open();
                await go.opened;
              },
              { compensate: () => void seen.push('undo slow') },
            ),
            ctx.step('quick', () => inside.opened.then(() => Promise.reject(coded('QUICK'))), { retry: 1 }),
            ctx.remote('far'),
          ]);
        },
      },
    });
    await expect(process.client.startAndWait('order', null, { id: 'r1' })).rejects.toMatchObject({ code: 'QUICK' });
    go.open();
    expect(seen).toEqual(['aborted', 'undo a']);
    expect(await process.storage.dispatcher.lost(['r1:3'])).toEqual(['r1:3']);
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history!.find(({ name }) => name === 'slow')).toBeUndefined();
  });

  it('is not begun by wrong code: the run blocks, nothing is undone, and goes on with code that is right (N6)', async () => {
    const undone: string[] = [];
    const body = (deployed: () => boolean) => async (ctx: WorkflowContext) => {
      await ctx.step('a', () => 1, { compensate: () => void undone.push('a') });
      const order = (deployed() ? { total: 1 } : null) as { total: number };
      return order.total;
    };
    let fixed = false;
    const process = await house().boot({ workflows: { order: body(() => fixed) } });
    const handle = await process.client.start('order');
    await until('it is blocked', async () => (await handle.status()).reason === 'programming_error');
    expect(undone).toEqual([]);
    await process.client.retry(handle.id);
    await until('it is blocked again', async () => {
      const { reason, wakeAt } = await handle.status();
      return reason === 'programming_error' && wakeAt === null;
    });
    fixed = true;
    await process.client.retry(handle.id);
    expect(await handle.result()).toBe(1);
    expect(undone).toEqual([]);
  });

  it('of a blocked run goes as far as its code can say what to undo', async () => {
    const undone: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('a', () => 1, { compensate: () => void undone.push('a') });
          return (null as unknown as { total: number }).total;
        },
      },
    });
    const handle = await process.client.start('order');
    await until('it is blocked', async () => (await handle.status()).reason === 'programming_error');
    expect(await handle.cancel()).toBe(true);
    await expect(handle.result()).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(undone).toEqual(['a']);
  });

  it('of a run whose code does not fit blocks, and terminate ends it nevertheless', async () => {
    const undone: string[] = [];
    const waiting = (name: string) => async (ctx: WorkflowContext) => {
      await ctx.step(name, () => 1, { compensate: () => void undone.push(name) });
      await ctx.remote('far');
    };
    const first = await house().boot({ workflows: { order: waiting('a') } });
    const { id } = await first.client.start('order', null, { id: 'r1' });
    await until('it waits', async () => (await first.storage.dispatcher.lost([`${id}:1`])).length === 0);
    await first.stop();
    const second = await house().boot({ workflows: { order: waiting('changed') } });
    expect(await second.client.cancel(id)).toBe(true);
    await until('it is blocked', async () => (await second.client.getStatus(id)).reason === 'non_determinism');
    expect(await second.client.terminate(id)).toBe(true);
    await expect(second.client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_TERMINATED' });
    expect(await second.client.getStatus(id)).toMatchObject({ status: 'cancelled', reason: null });
    expect(undone).toEqual([]);
  });

  it('refuses what cannot undo anything, before anything is recorded', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const codes: unknown[] = [];
          for (const call of [
            () => ctx.step('a', () => 1, { compensate: 'refund' as never }),
            () => ctx.remote('a', 1, { compensate: '' }),
            () => ctx.remote('a', 1, { compensate: 7 as never }),
          ]) {
            try {
              await call();
            } catch (error) {
              codes.push((error as { code: string }).code);
            }
          }
          return codes;
        },
      },
    });
    const codes = await process.client.startAndWait('order', null, { id: 'r1' });
    expect(codes).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT']);
    expect((await process.client.getStatus('r1', { history: true })).history).toEqual([]);
  });

  it('goes on in another process where the one that was killed left off, and no attempt is lost (N8)', async () => {
    const log: string[] = [];
    const body =
      (name: string, process: () => Process | undefined): ((ctx: WorkflowContext) => Promise<void>) =>
      async (ctx) => {
        for (const step of ['a', 'b', 'c'])
          await ctx.step(step, () => step, {
            retry: { attempts: 2, backoff: NO_WAIT },
            compensate: async (output, { attempt }) => {
              log.push(`${name}: ${output} ${attempt}`);
              if (output === 'b' && name === 'first') {
                process()?.kill();
                await new Promise(() => {});
              }
            },
          });
        ctx.fail('no', 'ORIGINAL');
      };
    const first: Process = await house().boot({ workflows: { order: body('first', () => first) } });
    const observer = await house().boot({ engine: false });
    const { id } = await observer.client.start('order', null, { id: 'r1' });
    await until('it died', () => !first.alive);
    expect(await observer.client.getStatus(id)).toMatchObject({ status: 'compensating' });
    await house().bury(first);
    expect(await observer.client.getStatus(id)).toMatchObject({ status: 'compensating' });
    const second = await house().boot({ workflows: { order: body('second', () => undefined) } });
    await expect(second.client.result(id)).rejects.toMatchObject({ code: 'ORIGINAL' });
    expect(log).toEqual(['first: c 1', 'first: b 1', 'second: b 1', 'second: a 1']);
  });

  it('that kills its processes again and again has failed, loudly, and can be retried (E6)', async () => {
    const crashCap = 4;
    let killing = true;
    let kills = 0;
    const boot = () => {
      let process: Process | undefined;
      const started = house().boot({
        crashCap,
        workflows: {
          order: async (ctx) => {
            await ctx.step('a', () => 1, {
              compensate: async () => {
                if (!killing) return;
                kills++;
                process?.kill();
                await new Promise(() => {});
              },
            });
            ctx.fail('no', 'ORIGINAL');
          },
        },
      });
      void started.then((booted) => (process = booted));
      return started;
    };
    const observer = await house().boot({ engine: false });
    const { id } = await observer.client.start('order', null, { id: 'r1' });
    for (let round = 0; round < 20; round++) {
      const process = await boot();
      await until('it died, or all is over', async () => {
        return !process.alive || (await observer.client.getStatus(id)).status === 'compensation_failed';
      });
      if (process.alive) break;
      await house().bury(process);
    }
    expect(kills).toBe(crashCap);
    expect(await observer.client.getStatus(id)).toMatchObject({
      status: 'compensation_failed',
      error: { code: 'crash_loop', cause: { code: 'ORIGINAL' } },
    });
    killing = false;
    await observer.client.retry(id);
    await expect(observer.client.result(id)).rejects.toMatchObject({ code: 'ORIGINAL' });
  });

  it('has to be known of before there is anything to compensate, whoever records it', async () => {
    const undone: unknown[] = [];
    const process = await house().boot({
      residencyMs: 1,
      workflows: {
        order: async (ctx) => {
          await ctx.remote('charge', 5, { compensate: (output) => void undone.push(output) });
          await ctx.remote('never');
        },
      },
    });
    const { id } = await process.client.start('order', null, { id: 'r1' });
    await until('it is parked', async () => {
      await process.engine.residents.tick();
      return (await process.client.getStatus(id)).status === 'suspended';
    });
    await process.stop();
    process.kill();
    const worker = await house().boot({ engine: false, handlers: { charge: () => 'charged' } });
    await until('it is answered', async () => {
      const { answers } = await worker.storage.dispatcher.peek(10);
      return answers.length === 1;
    });
    // Nobody has played the run since.
    const second = await house().boot({ engine: false });
    const settled = await second.storage.store.settleUnowned(
      '',
      (await second.storage.dispatcher.peek(10)).answers,
      (stepIds, tx) => second.storage.dispatcher.take(stepIds, tx),
    );
    expect(settled).toEqual(['r1:0']);
    expect(await second.client.cancel(id)).toBe(true);
    expect(await second.client.getStatus(id)).toMatchObject({ status: 'compensating' });
    const third = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.remote('charge', 5, { compensate: (output) => void undone.push(output) });
          await ctx.remote('never');
        },
      },
    });
    await expect(third.client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(undone).toEqual(['charged']);
  });
});

const clock = new ManualClock();
/** Less than any lease of a process. */
const TIMEOUT_MS = 2_500;

describeHouses(
  'compensation by a clock that is turned',
  (house) => {
    it.each(['cancelled', 'failed'] as const)(
      'reaches what workers had answered before any engine has taken it: %s',
      async (how) => {
        const charges = {
          charge: (order: string) => `paid ${order}`,
          declined: () => Promise.reject(coded('NO_FUNDS')),
        };
        const workflows = {
          order: async (ctx: WorkflowContext) => {
            await Promise.all([
              ctx.remote('charge', 'a', { compensate: 'refund' }),
              ctx.remote('charge', 'b', { compensate: 'refund' }),
              ctx.remote('declined', 'c', { compensate: 'refund', retry: 1 }),
              ctx.remote('nobody', 'd', { compensate: 'refund' }),
            ]);
          },
        };
        const first = await house().boot({ workflows });
        const { id } = await first.client.start('order', null, { id: 'r1', timeout: TIMEOUT_MS });
        const stepIds = [0, 1, 2, 3].map((seq) => stepIdOf(id, seq));
        await until('it has asked', async () => (await first.storage.dispatcher.lost(stepIds)).length === 0);
        await first.stop();
        const workers = await house().boot({ engine: false, handlers: charges });
        await until('three have answered', async () => (await workers.storage.dispatcher.peek(9)).answers.length === 3);
        if (how === 'cancelled') expect(await workers.client.cancel(id)).toBe(true);
        else clock.advance(TIMEOUT_MS + 1);
        const undone: unknown[] = [];
        const second = await house().boot({
          workflows,
          worker: { leaseMs: 30_000 },
          handlers: { refund: (paid: unknown) => void undone.push(paid) },
        });
        const code = how === 'cancelled' ? 'WORKFLOW_CANCELLED' : 'WORKFLOW_TIMEOUT';
        await expect(second.client.result(id)).rejects.toMatchObject({ code });
        expect(undone).toEqual(['paid b', 'paid a']);
        const { history } = await second.client.getStatus(id, { history: true });
        // Of a run whose time is up the failure may have been recorded before anybody claimed it.
        const failed = how === 'cancelled' ? 'failed' : (expect.stringMatching(/^(failed|answered)$/) as string);
        const outcomes = history!.filter(({ seq }) => seq >= 0).map(({ status }) => status);
        expect(outcomes).toEqual(['completed', 'completed', failed, 'pending']);
        expect((await second.storage.dispatcher.peek(9)).answers).toEqual([]);
      },
    );
  },
  { clock },
);

describeSqlHouses('compensating transactions', (house) => {
  const { enter, ledger } = appLedger(house);

  it('happens once, in one commit with its record, however often it fails or its process dies', async () => {
    let tries = 0;
    const body = (process: () => Process | undefined) => async (ctx: WorkflowContext) => {
      await ctx.transaction('book', (tx) => enter(tx, 'booked').then(() => 'seat 4'), {
        retry: { attempts: 3, backoff: NO_WAIT },
        compensate: async (tx, seat) => {
          await enter(tx, `freed ${seat}`);
          if (++tries === 1) throw new Error('not yet');
          if (tries === 2) {
            process()?.kill();
            await new Promise(() => {});
          }
        },
      });
      await ctx.remote('never');
    };
    const first: Process = await house().boot({ workflows: { order: body(() => first) } });
    const outside = await house().boot({ engine: false });
    const { id } = await outside.client.start('order', null, { id: 'r1' });
    await until('it is booked', async () => (await ledger()).length === 1);
    await outside.client.cancel(id);
    await until('it died', () => !first.alive);
    await house().bury(first);
    const second = await house().boot({ workflows: { order: body(() => undefined) } });
    await expect(second.client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(await ledger()).toEqual(['booked', 'freed seat 4']);
    expect(tries).toBe(3);
    const { history } = await second.client.getStatus(id, { history: true });
    expect(history![0]).toMatchObject({ seq: -1, kind: 'transaction', name: 'book', failures: 1, status: 'completed' });
  });

  it('is known of with the very commit that has to be compensated', async () => {
    const inside = gate();
    const process: Process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.transaction('book', (tx) => enter(tx, 'booked'), { compensate: (tx) => enter(tx, 'freed') });
          // Nothing else this process writes ever arrives.
          process.kill();
          inside.open();
        },
      },
    });
    const outside = await house().boot({ engine: false });
    const { id } = await outside.client.start('order', null, { id: 'r1' });
    await inside.opened;
    await house().bury(process);
    const second = await house().boot({ engine: false, role: 'engine' });
    await second.client.cancel(id);
    expect((await second.client.getStatus(id)).status).toBe('compensating');
    second.define('order', async (ctx) => {
      await ctx.transaction('book', (tx) => enter(tx, 'again'), { compensate: (tx) => enter(tx, 'freed') });
    });
    await second.start();
    await expect(second.client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(await ledger()).toEqual(['booked', 'freed']);
  });

  it('a branch that is committing while another fails has its place in the order, and is undone', async () => {
    const orm = () => house().backend!.orm;
    const [inside, failed] = [gate(), gate()];
    const undone: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const booked = ctx.transaction(
            'book',
            async (tx) => {
              await enter(tx, 'booked');
              inside.open();
              await failed.opened;
            },
            { compensate: (tx) => enter(tx, 'freed') },
          );
          const fails = ctx.step('fails', () => inside.opened.then(() => Promise.reject(coded('NO'))), { retry: 1 });
          await Promise.all([booked, fails.finally(() => failed.open())]);
        },
      },
    });
    await expect(process.client.startAndWait('order', null, { id: 'r1' })).rejects.toMatchObject({ code: 'NO' });
    const entries = await ledger();
    // Whether the commit came before the end or after it was rolled back: never one without the other.
    expect(entries.length === 0 || entries.join() === 'booked,freed').toBe(true);
    const settled = (await process.storage.catalog.steps('r1')).flatMap(({ settled: place }) => place ?? []);
    expect(new Set(settled).size).toBe(settled.length);
    expect(undone).toEqual([]);
    await inAppTransaction(orm(), process.storage.handle, async () => undefined);
  });
});
