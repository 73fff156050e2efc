import type { StepAnswer } from '../../../lib/core/protocol.js';
import { NonRetryableStepError } from '../../../lib/core/run-errors.js';
import { ManualClock } from '../../../lib/core/time.js';
import { claimOne, report } from '../../support/by-hand.js';
import { gate } from '../../support/gate.js';
import { describeHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;
/** For tests that count tries: a process that stands still for a moment keeps its tasks. */
const worker = { leaseMs: 30_000 };
const clock = new ManualClock();

/** The run is not in memory any more. */
const park = (process: Process, id: string) =>
  until('the run is parked', async () => {
    await process.engine.residents.tick();
    return (await process.client.getStatus(id)).status === 'suspended';
  });

const gone = (process: Process, stepId: string) =>
  until('nothing is left of the task', async () => (await process.storage.dispatcher.lost([stepId])).length === 1);

async function sql(house: House, text: string): Promise<void> {
  await house.backend?.query(text);
}

describeHouses('remote steps', (house) => {
  it('whose worker dies are run again after its lease, by another; the dead one can write nothing (P3, T3)', async () => {
    const process = await house().boot({ workflows: { order: (ctx) => ctx.remote('far') } });
    const { id } = await process.client.start('order');
    const held = await claimOne(process);
    await house().lapse({ workerIds: ['by hand'] });
    process.serve({ far: () => 'second worker' }, worker);
    expect(await process.client.result(id)).toBe('second worker');
    expect(await report(process, held, { output: '"zombie"' })).toEqual([false]);
    expect((await process.client.getStatus(id, { history: true })).history).toMatchObject([
      { output: 'second worker' },
    ]);
    await gone(process, `${id}:0`);
  });

  it('carry the input, the attempt and the error fields both ways (T26)', async () => {
    const attempts: unknown[] = [];
    const process = await house().boot({
      worker,
      handlers: {
        far: (input) => {
          attempts.push(input);
          throw Object.assign(new Error('ü😀 declined'), { name: 'CardError', code: 'CARD' });
        },
      },
      workflows: {
        order: async (ctx, input) => {
          const error: unknown = await ctx
            .remote('far', input, { retry: { attempts: 2, backoff: NO_WAIT } })
            .catch((thrown: unknown) => thrown);
          const { name, message, code, attempts: tries } = error as Error & { code: string; attempts: number };
          expect({ name, message, code, tries }).toEqual({
            name: 'CardError',
            message: 'ü😀 declined',
            code: 'CARD',
            tries: 2,
          });
          throw error;
        },
      },
    });
    const input = { when: new Date(0), map: new Map([['k', 1n]]) };
    const outcome = process.client.startAndWait('order', input, { id: 'r1' });
    await expect(outcome).rejects.toMatchObject({ name: 'CardError', message: 'ü😀 declined', code: 'CARD' });
    expect(attempts).toEqual([input, input]);
    expect((await process.client.getStatus('r1')).error).toMatchObject({ name: 'CardError', code: 'CARD' });
  });

  it('that fail for good are tried once (T14)', async () => {
    let ran = 0;
    const fatal = () => {
      ran++;
      throw new NonRetryableStepError('never', 'NEVER');
    };
    const process = await house().boot({
      handlers: { far: fatal },
      worker,
      workflows: { order: (ctx) => ctx.remote('far', null, { retry: 5 }) },
    });
    await expect(process.client.startAndWait('order')).rejects.toMatchObject({ code: 'NEVER', message: 'never' });
    expect(ran).toBe(1);
  });

  it('are tried again although the old row still stands, and what is lost is sent again (T4, T15)', async () => {
    const process = await house().boot({
      workflows: { order: (ctx) => ctx.remote('far', null, { retry: { attempts: 2, backoff: NO_WAIT } }) },
    });
    const { id } = await process.client.start('order');
    const first = await claimOne(process);
    expect(first.attempt).toBe(1);
    await report(process, first, { status: 'failed', output: null, error: '{"message":"no"}' });
    const second = await claimOne(process);
    expect(second).toMatchObject({ stepId: first.stepId, attempt: 2 });
    // The row vanishes, as if somebody had deleted it.
    await process.storage.dispatcher.withdraw([second.stepId]);
    await until('it is sent again', async () => {
      for (const awaited of process.engine.residents.get(id)?.awaited.all() ?? []) awaited.since = 0;
      await process.engine.residents.tick();
      return (await process.storage.dispatcher.lost([second.stepId])).length === 0;
    });
    process.serve({ far: () => 'at last' });
    expect(await process.client.result(id)).toBe('at last');
  });

  it('of parked runs whose task is lost are found by the sweep and sent again (T15)', async () => {
    const process = await house().boot({ residencyMs: 1, workflows: { order: (ctx) => ctx.remote('far') } });
    const { id } = await process.client.start('order');
    await until('the task is there', async () => (await process.storage.dispatcher.lost([`${id}:0`])).length === 0);
    await park(process, id);
    await process.storage.dispatcher.withdraw([`${id}:0`]);
    process.serve({ far: () => 'found' });
    await until('the run ends', async () => {
      await process.engine.strandedSweep.tick();
      for (const awaited of process.engine.residents.get(id)?.awaited.all() ?? []) awaited.since = 0;
      await process.engine.residents.tick();
      return (await process.client.getStatus(id)).status === 'completed';
    });
  });

  it('whose answer is no JSON fail alone, with a code (T7)', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx, n) =>
          ctx.remote('far', n).catch((error: { code: string; name: string }) => [error.code, error.name]),
      },
    });
    const handles = await Promise.all([0, 1, 2].map((n) => process.client.start('order', n, { id: `r${n}` })));
    for (let n = 0; n < 3; n++) {
      const task = await claimOne(process);
      await report(process, task, { output: task.runId === 'r1' ? '{"loss": NaN}' : '1' });
    }
    const outputs = await Promise.all(handles.map((handle) => handle.result()));
    expect(outputs).toEqual([1, ['UNREADABLE_PAYLOAD', 'UnreadablePayloadError'], 1]);
    expect((await process.client.getStatus('r1', { history: true })).history![0]!.output).toBe('{"loss": NaN}');
  });

  it('whose output cannot be stored run once, and block the run (T8)', async () => {
    let ran = 0;
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const process = await house().boot({
      handlers: { far: () => (ran++, circular), near: () => 2 },
      worker,
      workflows: { order: (ctx) => ctx.remote('far', null, { retry: 5 }), other: (ctx) => ctx.remote('near') },
    });
    const { id } = await process.client.start('order');
    await until('it is blocked', async () => (await process.client.getStatus(id)).reason === 'programming_error');
    expect(ran).toBe(1);
    expect(await process.client.startAndWait('other')).toBe(2);
  });

  it('of other runs do not wait for a workflow that is busy with an answer (T11)', async () => {
    const [entered, hold] = [gate(), gate()];
    const process = await house().boot({
      handlers: { far: (n: number) => n },
      workflows: {
        slow: async (ctx) => {
          await ctx.remote('far', 1);
          entered.open();
          await hold.opened;
          return 'slow';
        },
        quick: (ctx) => ctx.remote('far', 2),
      },
    });
    const slow = await process.client.start('slow');
    await entered.opened;
    expect(await process.client.startAndWait('quick', null, { timeout: '120s' })).toBe(2);
    hold.open();
    expect(await slow.result()).toBe('slow');
  });

  it('that are answered twice, too late or without being asked leave the run alone (E9)', async () => {
    const hold = gate();
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const value = await ctx.remote('far');
          await ctx.step('hold', () => hold.opened);
          return [value, await ctx.remote('far', 2)];
        },
      },
    });
    const { id } = await process.client.start('order', null, { id: 'r1' });
    const task = await claimOne(process);
    await report(process, task, { output: '"first"' });
    await until(
      'the answer is recorded',
      async () => (await process.client.getStatus(id, { history: true })).history![0]?.status === 'completed',
    );
    // A foreign worker that ignores leases answers again, and answers what nobody asked.
    const late = (seq: number): StepAnswer => ({
      stepId: `${id}:${seq}`,
      runId: id,
      seq,
      status: 'completed',
      output: '"late"',
      error: null,
      startedAt: 1,
      createdAt: Date.now() + seq,
    });
    if (house().kind === 'sql') {
      for (const seq of [0, -1, 77]) {
        await sql(
          house(),
          `INSERT INTO durable_transport_results (step_id, run_id, seq, status, output, created_at) VALUES ('r1:${seq}', 'r1', ${seq}, 'completed', '"late"', ${Date.now()})`,
        );
      }
      await until('they are out of the way', async () => {
        process.engine.collector.lookAgain();
        await process.engine.collector.tick();
        return (await house().backend!.query('SELECT 1 AS n FROM durable_transport_results')).length === 0;
      });
    } else for (const seq of [0, -1, 77]) process.engine.residents.get(id)!.answer(late(seq));
    hold.open();
    await report(process, await claimOne(process), { output: '"second"' });
    expect(await process.client.result(id)).toEqual(['first', 'second']);
  });

  it('that are answered while the run is parked wake it, in the order of the answers', async () => {
    const process = await house().boot({
      residencyMs: 1,
      workflows: {
        order: async (ctx) => {
          const order: unknown[] = [];
          await Promise.all([0, 1, 2].map(async (n) => order.push(await ctx.remote(`far${n}`))));
          return order;
        },
      },
    });
    const { id } = await process.client.start('order');
    for (const n of [2, 0, 1]) {
      const task = await claimOne(process, `far${n}`);
      await park(process, id);
      await report(process, task, { output: String(n) });
      if (n !== 1) {
        await until(
          'the answer is in the history',
          async () => (await process.client.getStatus(id, { history: true })).history![n]!.status === 'completed',
        );
      }
    }
    expect(await process.client.result(id)).toEqual([2, 0, 1]);
  });

  it('that failed while the run was parked are tried again as their policy says', async () => {
    const process = await house().boot({
      residencyMs: 1,
      workflows: {
        order: (ctx) =>
          ctx.remote('far', null, {
            retry: {
              attempts: 5,
              backoff: NO_WAIT,
              retryIf: (error) => (error as { code?: string }).code !== 'FINAL',
            },
          }),
      },
    });
    const { id } = await process.client.start('order');
    for (let attempt = 1; attempt <= 3; attempt++) {
      const task = await claimOne(process);
      expect(task.attempt).toBe(attempt);
      await park(process, id);
      const error = JSON.stringify({ message: 'no', ...(attempt === 3 && { code: 'FINAL' }) });
      await report(process, task, { status: 'failed', output: null, error });
    }
    await expect(process.client.result(id)).rejects.toMatchObject({ code: 'FINAL' });
    expect((await process.client.getStatus(id, { history: true })).history![0]!.failures).toBe(3);
  });

  it('of a cancelled run are withdrawn, and the code hears of it at once (T22, N9)', async () => {
    const aborted: string[] = [];
    const running = gate();
    const process = await house().boot({
      workflows: {
        order: (ctx) => {
          ctx.signal.addEventListener('abort', () => aborted.push('run'));
          const local = ctx.step('local', ({ signal }) => {
            signal.addEventListener('abort', () => aborted.push('step'));
            running.open();
            return new Promise(() => {});
          });
          return Promise.all([local, ctx.remote('far', 1), ctx.remote('far', 2)]);
        },
      },
    });
    const handle = await process.client.start('order');
    const held = await claimOne(process);
    await running.opened;
    expect(await handle.cancel()).toBe(true);
    expect(await handle.cancel()).toBe(false);
    await until('the code has heard', () => aborted.length === 2);
    expect((await process.storage.dispatcher.lost([`${handle.id}:1`, `${handle.id}:2`])).length).toBe(2);
    expect(await process.storage.source.extend([held.claim])).toEqual([]);
    expect(await report(process, held)).toEqual([false]);
    await expect(handle.result()).rejects.toMatchObject({
      name: 'WorkflowCancelledError',
      code: 'WORKFLOW_CANCELLED',
    });
    expect(await handle.status()).toMatchObject({ status: 'cancelled' });
    await until('it is out of memory', () => process.engine.residents.size === 0);
  });

  it('of an engine elsewhere are withdrawn as well; it hears of it by polling at the latest (T22)', async () => {
    let aborted = false;
    const process = await house().boot({
      nodeLeaseMs: 600,
      workflows: {
        order: (ctx) => {
          ctx.signal.addEventListener('abort', () => (aborted = true));
          return ctx.remote('far');
        },
      },
    });
    const { id } = await process.client.start('order');
    await until('the task is there', async () => (await process.storage.dispatcher.lost([`${id}:0`])).length === 0);
    const observer = await house().boot({ engine: false });
    await observer.client.cancel(id);
    await until('the owner has heard', () => aborted);
    await gone(observer, `${id}:0`);
  });
});

describeHouses(
  'remote steps with a timeout',
  (house) => {
    it('time out by the attempt: the task is withdrawn, and sent again', async () => {
      const process = await house().boot({
        workflows: {
          order: (ctx) =>
            ctx.remote('far', null, { timeout: 150, retry: { attempts: 2, backoff: { ...NO_WAIT, delay: 100 } } }),
        },
      });
      const { id } = await process.client.start('order');
      const first = await claimOne(process);
      expect(first.attempt).toBe(1);
      clock.advance(150);
      await gone(process, first.stepId);
      expect(await process.storage.source.extend([first.claim])).toEqual([]);
      clock.advance(100);
      const second = await claimOne(process);
      expect(second.attempt).toBe(2);
      clock.advance(150);
      await expect(process.client.result(id)).rejects.toMatchObject({ name: 'StepTimeoutError', code: 'STEP_TIMEOUT' });
      await gone(process, first.stepId);
      expect(await report(process, second)).toEqual([false]);
    });
  },
  { clock },
);
