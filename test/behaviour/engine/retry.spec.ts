import type { RunWrite } from '../../../lib/engine/runs.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { ManualClock } from '../../../lib/core/time.js';
import { gate } from '../../support/gate.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NOW = { delay: 1, factor: 1, jitter: 'none' } as const;
const TWICE = { retry: { attempts: 2, backoff: NOW } };

/** A service that refuses until it is mended, and remembers the keys that it was called with. */
function service() {
  const calls: [key: string, attempt: number][] = [];
  const state = { broken: true };
  const call = ({ idempotencyKey, attempt }: { idempotencyKey: string; attempt: number }) => {
    calls.push([idempotencyKey, attempt]);
    if (state.broken) throw Object.assign(new Error('declined'), { code: 'DECLINED' });
    return 'paid';
  };
  return { calls, call, mend: () => void (state.broken = false) };
}

describeHouses('the retry of a failed run', (house) => {
  it('resumes at the step that failed, with fresh attempts under the same idempotency key', async () => {
    const bank = service();
    const reserved: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('reserve', ({ idempotencyKey }) => void reserved.push(idempotencyKey));
          return ctx.step('charge', bank.call, TWICE);
        },
      },
    });
    const handle = await process.client.start('order', null, { id: 'r' });
    await expect(handle.result()).rejects.toMatchObject({ code: 'DECLINED' });
    await process.client.retry('r');
    await expect(handle.result()).rejects.toMatchObject({ code: 'DECLINED' });
    bank.mend();
    await process.client.retry('r');
    await expect(handle.result()).resolves.toBe('paid');
    expect(reserved).toEqual(['r:0']);
    expect(bank.calls).toEqual([1, 2, 3, 4, 5].map((attempt) => ['r:1', attempt]));
    const { status, error, history } = await process.client.getStatus('r', { history: true });
    expect([status, error]).toEqual(['completed', null]);
    expect(history![1]!.attempts.map(({ attempt, error: e }) => [attempt, e?.code])).toEqual([
      [1, 'DECLINED'],
      [2, 'DECLINED'],
      [3, 'DECLINED'],
      [4, 'DECLINED'],
      [5, undefined],
    ]);
    await expect(process.client.retry('r')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_RETRYABLE' });
  });

  it('requests remote steps again at once, also those that were open beside the failed one', async () => {
    const bank = service();
    const packed: string[] = [];
    const process = await house().boot({
      workflows: {
        order: (ctx) => Promise.all([ctx.remote('charge', 1, TWICE), ctx.remote('pack', 2), ctx.remote('label', 3)]),
      },
      handlers: { charge: (_, step) => bank.call(step), label: () => 'labelled' },
    });
    const handle = await process.client.start('order', null, { id: 'r' });
    await expect(handle.result()).rejects.toMatchObject({ code: 'DECLINED' });
    bank.mend();
    process.serve({ pack: (_, { idempotencyKey }) => (packed.push(idempotencyKey), 'packed') });
    await process.client.retry('r');
    await expect(handle.result()).resolves.toEqual(['paid', 'packed', 'labelled']);
    expect(bank.calls).toEqual([1, 2, 3].map((attempt) => ['r:0', attempt]));
    expect(packed).toEqual(['r:1']);
  });

  it('does not ask again for what a worker had done when the run failed', async () => {
    const bank = service();
    const [asked, go] = [gate(), gate()];
    const keys: string[] = [];
    const process: Process = await house().boot({
      hooks: {
        before: async (call, [writes]) => {
          const isEnd = ({ transition }: RunWrite) => transition?.status === 'failed';
          if (call !== 'store.commit' || keys.length !== 1 || !(writes as RunWrite[]).some(isEnd)) return;
          go.open();
          const reported = async () => (await process.storage.dispatcher.peek(10)).answers.length > 0;
          await until('the worker has reported', reported);
        },
      },
      workflows: {
        order: (ctx) => {
          const pack = ctx.step('pack', (step) => asked.opened.then(() => bank.call(step)), { retry: 1 });
          return Promise.all([ctx.remote('charge', 1), pack]);
        },
      },
      handlers: {
        charge: async (_, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          asked.open();
          await go.opened;
          return 'charged';
        },
      },
    });
    const handle = await process.client.start('order', null, { id: 'r' });
    await expect(handle.result()).rejects.toThrow('declined');
    bank.mend();
    await process.client.retry('r');
    await expect(handle.result()).resolves.toEqual(['charged', 'paid']);
    expect(keys).toEqual(['r:1']);
  });

  it('also forgets failures that the code had not received when the first one ended it', async () => {
    const [bank, shop] = [service(), service()];
    const process = await house().boot({
      workflows: {
        order: (ctx) => Promise.all([ctx.step('a', bank.call, { retry: 1 }), ctx.step('b', shop.call, { retry: 1 })]),
      },
    });
    const handle = await process.client.start('order', null, { id: 'r' });
    await expect(handle.result()).rejects.toThrow('declined');
    bank.mend();
    shop.mend();
    await process.client.retry('r');
    await expect(handle.result()).resolves.toEqual(['paid', 'paid']);
    expect(shop.calls).toEqual([
      ['r:1', 1],
      ['r:1', 2],
    ]);
  });

  it('keeps the failures that the code has handled, and forgets the markers after the last one', async () => {
    const [mail, bank] = [service(), service()];
    const seen: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const mailed = await ctx.step('mail', mail.call, { retry: 1 }).catch(() => 'not mailed');
          await ctx.step('note', () => mailed);
          try {
            return [mailed, await ctx.step('charge', bank.call, { retry: 1 })];
          } catch (error) {
            seen.push(ctx.uuid());
            ctx.setStatus('declined');
            throw new Error('no order', { cause: error });
          }
        },
      },
    });
    const handle = await process.client.start('order', null, { id: 'r' });
    await expect(handle.result()).rejects.toMatchObject({ message: 'no order' });
    mail.mend();
    bank.mend();
    await process.client.retry('r');
    await expect(handle.result()).resolves.toEqual(['not mailed', 'paid']);
    expect([mail.calls.length, bank.calls.length, seen.length]).toEqual([1, 2, 1]);
    const { history } = await process.client.getStatus('r', { history: true });
    expect(history!.map(({ name }) => name)).toEqual(['mail', 'note', 'charge']);
  });

  it('replays code that threw an error of its own: it throws again unless it has changed', async () => {
    let stock = 0;
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('look', () => 1);
          if (stock === 0) ctx.fail('no stock', 'NO_STOCK');
          return ctx.step('ship', () => 'shipped');
        },
      },
    });
    const handle = await process.client.start('order', null, { id: 'r' });
    await expect(handle.result()).rejects.toMatchObject({ code: 'NO_STOCK' });
    await process.client.retry('r');
    await expect(handle.result()).rejects.toMatchObject({ code: 'NO_STOCK' });
    stock = 1;
    await process.client.retry('r');
    await expect(handle.result()).resolves.toBe('shipped');
  });

  it.each([
    ['a step', (ctx: WorkflowContext) => ctx.step('tell', () => 1)],
    ['a timer', (ctx: WorkflowContext) => ctx.sleep('tell', 1)],
  ])('is refused if the code took %s after the failure that ended it', async (_, more) => {
    const bank = service();
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          try {
            await ctx.step('charge', bank.call, { retry: 1 });
          } catch (error) {
            await more(ctx);
            throw error;
          }
        },
      },
    });
    await expect(process.client.startAndWait('order', null, { id: 'r' })).rejects.toThrow('declined');
    await expect(process.client.retry('r')).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_RESUMABLE',
      why: 'passed',
      step: 'charge',
      seq: 0,
      message: expect.stringMatching(/step 0 "charge" had failed.* fork begins .* restart/) as unknown,
    });
    expect((await process.client.getStatus('r')).status).toBe('failed');
  });

  it('is refused once compensation has undone a step, and names restart; with nothing undone it goes on', async () => {
    const bank = service();
    const undone: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx, input: boolean) => {
          if (input) await ctx.step('reserve', () => 1, { compensate: () => void undone.push('reserve') });
          return ctx.step('charge', bank.call, { retry: 1, compensate: () => void undone.push('charge') });
        },
      },
    });
    await expect(process.client.startAndWait('order', true, { id: 'undone' })).rejects.toThrow('declined');
    await expect(process.client.startAndWait('order', false, { id: 'not' })).rejects.toThrow('declined');
    await expect(process.client.retry('undone')).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_RESUMABLE',
      why: 'compensated',
      message: expect.stringContaining('restart') as unknown,
    });
    bank.mend();
    await process.client.retry('not');
    await expect(process.client.result('not')).resolves.toBe('paid');
    expect(undone).toEqual(['reserve']);
  });

  it('lets failed children go on, and closes nothing that is needed', async () => {
    const bank = service();
    const keys: string[] = [];
    const process = await house().boot({
      workflows: {
        parent: async (ctx) => {
          const slow = ctx.executeChild('slow', null, { id: 'slow' });
          const paid = await ctx.executeChild('child', null, { id: 'child' });
          return [paid, await slow];
        },
        child: async (ctx) => {
          await ctx.step('reserve', ({ idempotencyKey }) => void keys.push(idempotencyKey));
          return ctx.step('charge', bank.call, { retry: 1 });
        },
        slow: async (ctx) => {
          await ctx.step('first', ({ idempotencyKey }) => void keys.push(idempotencyKey));
          return ctx.remote('ship', 1);
        },
      },
    });
    const handle = await process.client.start('parent', null, { id: 'p' });
    await expect(handle.result()).rejects.toMatchObject({ code: 'DECLINED' });
    await until('the child is closed', async () => (await process.client.getStatus('slow')).status === 'cancelled');
    bank.mend();
    process.serve({ ship: () => 'shipped' });
    await process.client.retry('p');
    await expect(handle.result()).resolves.toEqual(['paid', 'shipped']);
    expect(keys.sort()).toEqual(['child:0', 'slow:0']);
    expect(bank.calls).toEqual([
      ['child:1', 1],
      ['child:1', 2],
    ]);
  });

  it('of a child goes on alone: its parent has been told, and gets the new output once it is retried itself', async () => {
    const bank = service();
    const process = await house().boot({
      workflows: {
        parent: (ctx) => ctx.executeChild('child', null, { id: 'child' }),
        child: (ctx) => ctx.step('charge', bank.call, { retry: 1 }),
      },
    });
    const handle = await process.client.start('parent', null, { id: 'p' });
    await expect(handle.result()).rejects.toMatchObject({ code: 'DECLINED' });
    bank.mend();
    await process.client.retry('child');
    await expect(process.client.result('child')).resolves.toBe('paid');
    expect((await process.client.getStatus('p')).status).toBe('failed');
    await process.client.retry('p');
    await expect(handle.result()).resolves.toBe('paid');
    expect(bank.calls.length).toBe(2);
  });

  it('is possible in any process, also without code, and concurrent retries resume it once', async () => {
    const bank = service();
    const process = await house().boot({
      workflows: { order: (ctx) => ctx.step('charge', bank.call, { retry: 1 }) },
    });
    const other = await house().boot({ engine: false });
    await expect(process.client.startAndWait('order', null, { id: 'r' })).rejects.toThrow('declined');
    bank.mend();
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => other.client.retry('r')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    await expect(process.client.result('r')).resolves.toBe('paid');
    expect(bank.calls.length).toBe(2);
    await expect(other.client.retry('unknown')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });

  it('waits again for signals', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const { WorkflowSignal } = await import('../../../lib/engine/signals.js');
          const approved = ctx.waitForSignal('approved', new WorkflowSignal<string>('approved'));
          await ctx.step('charge', bank.call, { retry: 1 });
          return approved;
        },
      },
    });
    const bank = service();
    const handle = await process.client.start('order', null, { id: 'r' });
    await expect(handle.result()).rejects.toThrow('declined');
    bank.mend();
    await process.client.retry('r');
    await process.client.signal('approved', 'yes', { workflowId: 'r' });
    await expect(handle.result()).resolves.toBe('yes');
  });
});

const clock = new ManualClock();

describeHouses(
  'a run that has exceeded its timeout',
  (house) => {
    it('has the same time again after retry, and continues where it was', async () => {
      const reserved: string[] = [];
      const process = await house().boot({
        workflows: {
          order: async (ctx) => {
            await ctx.step('reserve', ({ idempotencyKey }) => void reserved.push(idempotencyKey));
            return ctx.remote('charge', 1);
          },
        },
      });
      const handle = await process.client.start('order', null, { id: 'r', timeout: '1h' });
      const history = async () => (await process.client.getStatus('r', { history: true })).history!;
      await until('the task', async () => (await history()).length === 2);
      clock.advance(3_600_000);
      await expect(handle.result()).rejects.toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
      clock.advance(60_000);
      await process.client.retry('r');
      const { deadline } = await process.client.getStatus('r');
      expect(deadline).toEqual(new Date(clock.now() + 3_600_000));
      process.serve({ charge: () => 'paid' });
      await expect(handle.result()).resolves.toBe('paid');
      expect(reserved).toEqual(['r:0']);
    });
  },
  { clock },
);

describeHouses("onExhausted: 'block'", (house) => {
  const block = { onExhausted: 'block', ...TWICE } as const;

  it('stands still loudly after the last attempt, and retry goes on with fresh ones', async () => {
    const bank = service();
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('reserve', () => 1, { compensate: () => Promise.reject(new Error('nothing is undone')) });
          return ctx.step('charge', bank.call, block);
        },
      },
    });
    const left: unknown[] = [];
    process.telemetry.on('run.left', ({ reason, detail }) => left.push([reason, detail]));
    const handle = await process.client.start('order', null, { id: 'r' });
    const blocked = async () =>
      (await process.client.list({ blocked: true })).runs.map(({ id, reason }) => [id, reason]);
    await until('it is blocked', async () => (await blocked()).length > 0);
    expect(await blocked()).toEqual([['r', 'exhausted']]);
    const why = 'StepExhaustedError: Step 1 "charge" has used all its attempts, 2 so far: declined';
    expect(left).toEqual([['exhausted', why]]);
    expect((await process.client.explain('r')).text).toContain(why);
    await process.client.retry('r');
    await until('two more attempts', () => bank.calls.length === 4);
    await until('it is blocked again', async () => (await blocked()).length > 0);
    bank.mend();
    await process.client.retry('r');
    await expect(handle.result()).resolves.toBe('paid');
    expect(bank.calls).toEqual([1, 2, 3, 4, 5].map((attempt) => ['r:1', attempt]));
    const { history } = await process.client.getStatus('r', { history: true });
    expect(history![1]!.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  });

  it('blocks remote steps and transactions too, after the work in progress beside them is recorded', async () => {
    const bank = service();
    const [begun, slow, ran] = [gate(), gate(), [] as string[]];
    const process = await house().boot({
      onExhausted: 'block',
      retry: { attempts: 1 },
      workflows: {
        order: (ctx) =>
          Promise.all([
            ctx.remote('charge', 1),
            ctx.step('slow', () => (begun.open(), slow.opened.then(() => ran.push('slow')))),
            ctx.sleep('nap', 1).then(() => ctx.step('later', () => ran.push('later'))),
          ]),
      },
      handlers: { charge: (_, step) => begun.opened.then(() => bank.call(step)) },
    });
    const handle = await process.client.start('order', null, { id: 'r' });
    const status = () => process.client.getStatus('r', { history: true });
    await until('the exhausted step', async () => (await status()).history![0]?.status === 'exhausted');
    slow.open();
    await until('it is blocked', async () => (await status()).reason === 'exhausted');
    expect((await status()).history![1]).toMatchObject({ name: 'slow', status: 'completed' });
    bank.mend();
    await process.client.retry('r');
    await handle.result();
    expect(ran.filter((name) => name === 'slow')).toEqual(['slow']);
    expect(ran).toContain('later');
  });

  it('does not apply to errors that must not be retried: these are answers for the code', async () => {
    const process = await house().boot({
      onExhausted: 'block',
      workflows: {
        order: async (ctx) => {
          const { NonRetryableStepError } = await import('../../../lib/core/run-errors.js');
          const refused = await ctx
            .step('a', () => Promise.reject(new NonRetryableStepError('no')))
            .catch(() => 'caught');
          const own = ctx.step('b', () => Promise.reject(new Error('b')), { retry: { retryIf: () => false } });
          const called = ctx.step('c', () => Promise.reject(new Error('c')), { retry: 1, onExhausted: 'fail' });
          return [refused, await own.catch(() => 'caught'), await called.catch(() => 'caught')];
        },
      },
    });
    await expect(process.client.startAndWait('order', null)).resolves.toEqual(['caught', 'caught', 'caught']);
  });

  it('blocks at once for an output that cannot be stored, of a remote step too', async () => {
    const process = await house().boot({
      workflows: { order: (ctx, target: string) => ctx.remote(target, null, { onExhausted: 'block' }) },
      handlers: {
        charge: () => () => 'a function',
        refused: () => Promise.reject(Object.assign(new Error('no'), { retryable: false })),
      },
    });
    const { id } = await process.client.start('order', 'charge');
    const reason = async () => (await process.client.getStatus(id)).reason;
    await until('it is blocked', async () => (await reason()) === 'programming_error');
    await expect(process.client.startAndWait('order', 'refused')).rejects.toThrow('no');
  });

  it('survives its process: the next owner finds the step exhausted, and begins no attempt', async () => {
    const bank = service();
    const [hold, slow] = [gate(), [] as string[]];
    const workflows = {
      order: (ctx: WorkflowContext) =>
        Promise.all([ctx.step('charge', bank.call, block), ctx.step('slow', () => (slow.push('begun'), hold.opened))]),
    };
    const first = await house().boot({ workflows });
    await first.client.start('order', null, { id: 'r' });
    const charge = async () => (await first.client.getStatus('r', { history: true })).history![0];
    await until('the exhausted step', async () => (await charge())?.status === 'exhausted');
    first.kill();
    await house().bury(first);
    const second = await house().boot({ workflows });
    await until('it is blocked', async () => (await second.client.getStatus('r')).reason === 'exhausted');
    expect([bank.calls.length, slow.length]).toEqual([2, 1]);
    bank.mend();
    await second.client.retry('r');
    await until('both', () => bank.calls.length === 3 && slow.length === 2);
    hold.open();
    await second.client.result('r');
  });

  it('can be cancelled, and compensates then', async () => {
    const bank = service();
    const undone: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('reserve', () => 1, { compensate: () => void undone.push('reserve') });
          await ctx.step('charge', bank.call, block);
        },
      },
    });
    await process.client.start('order', null, { id: 'r' });
    await until('it is blocked', async () => (await process.client.getStatus('r')).reason === 'exhausted');
    await process.client.cancel('r');
    await expect(process.client.result('r')).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    expect(undone).toEqual(['reserve']);
  });
});
