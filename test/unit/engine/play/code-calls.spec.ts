import { WorkflowSignal } from '../../../../lib/engine/signals.js';
import type { TelemetryEvents } from '../../../../lib/core/telemetry.js';
import { type Body, type EnginePartsOptions, engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

const LATER = new WorkflowSignal<number>('later');
const NOTHING = () => undefined;
const NO = () => Promise.reject(new Error('no'));
const ONCE = { retry: false } as const;

describe('What run does not await', () => {
  let parts: EngineParts;
  let left: TelemetryEvents['calls.unawaited'][];
  let unhandled: TelemetryEvents['call.unhandled'][];
  let rejections: unknown[];
  const onRejection = (error: unknown) => void rejections.push(error);
  beforeEach(() => {
    [left, unhandled, rejections] = [[], [], []];
    process.on('unhandledRejection', onRejection);
  });
  afterEach(async () => {
    process.off('unhandledRejection', onRejection);
    await parts.stop();
    expect(rejections).toEqual([]);
  });

  const begin = async (run: Body, options: EnginePartsOptions = {}) => {
    parts = engineParts(memoryStorage(), options);
    parts.telemetry.on('calls.unawaited', (event) => void left.push(event));
    parts.telemetry.on('call.unhandled', (event) => void unhandled.push(event));
    parts.define('w', run);
    parts.define('child', async (ctx) => void (await ctx.step('fails', NO, ONCE)));
    await parts.start();
    await parts.client.start('w', null, { id: 'run' });
  };

  it('is named when run returns, whether it has its outcome or not', async () => {
    await begin(async (ctx) => {
      void ctx.step('early', NOTHING);
      await ctx.step('awaited', NOTHING);
      await ctx.sleep('a while', 1);
      void ctx.sleep('nap', '1h');
      void ctx.remote('mail.send', 1);
      void ctx.waitForSignal('answer', LATER);
      return 'done';
    });
    expect(await parts.client.result('run')).toBe('done');
    const calls = ['ctx.step("early")', 'ctx.sleep("nap")', 'ctx.remote("mail.send")', 'ctx.waitForSignal("answer")'];
    expect(left).toEqual([{ runId: 'run', workflow: 'w', calls }]);
  });

  it.each<[string, Body]>([
    ['throws', (ctx) => Promise.resolve(ctx.fail('no'))],
    ['continues as new', (ctx, again: boolean) => (again ? ctx.continueAsNew(false) : Promise.resolve())],
  ])('is named when run %s, too', async (_, end) => {
    await begin(async (ctx, input) => {
      if (input !== false) void ctx.sleep('nap', '1h');
      return end(ctx, (input !== false) as never);
    });
    await parts.client.result('run').catch(NOTHING);
    expect(left).toEqual([{ runId: 'run', workflow: 'w', calls: ['ctx.sleep("nap")'] }]);
  });

  it('blocks a run that continues as new with `strict`; one that throws ends with its own error', async () => {
    await begin(
      async (ctx, input) => {
        void ctx.sleep('nap', '1h');
        if (input === 'throws') ctx.fail('no');
        await ctx.continueAsNew(1);
      },
      { strict: true },
    );
    await until('the block', async () => (await parts.client.getStatus('run')).reason !== null);
    await parts.client.start('w', 'throws', { id: 'other' });
    await expect(parts.client.result('other')).rejects.toThrow('no');
    expect(left).toEqual([{ runId: 'other', workflow: 'w', calls: ['ctx.sleep("nap")'] }]);
  });

  it('is nothing where calls were raced, awaited late, returned, or complete with the call', async () => {
    await begin(async (ctx) => {
      const late = ctx.step('late', NOTHING);
      await Promise.race([ctx.waitForSignal('answer', LATER), ctx.sleep('timeout', 1)]);
      await late;
      void ctx.startChild('child');
      const child = await ctx.startChild('child');
      await child.result().catch(NOTHING);
      return ctx.step('last', NOTHING);
    });
    await parts.client.result('run');
    expect(left).toEqual([]);
    expect(unhandled).toEqual([]);
  });

  it('blocks the run with `strict`, with nothing lost: its fixed code goes on', async () => {
    await begin(
      async (ctx) => {
        void ctx.step('forgotten', NOTHING);
        await ctx.step('awaited', NOTHING);
      },
      { strict: true },
    );
    const { reason, reasonDetail } = await until('the block', async () => {
      const status = await parts.client.getStatus('run');
      return status.reason !== null && status;
    });
    expect(reason).toBe('programming_error');
    expect(reasonDetail).toContain(
      'UnawaitedCallsError: Run "run" of "w" ended without awaiting ctx.step("forgotten")',
    );
    expect(left).toEqual([]);
  });

  it.each<[string, Body]>([
    ['ctx.step("audit")', (ctx) => ctx.step('audit', NO, ONCE)],
    ['ctx.transaction("audit")', (ctx) => ctx.transaction('audit', NO, ONCE)],
    ['ctx.executeChild("child")', (ctx) => ctx.executeChild('child')],
    ['ctx.all("child")', (ctx) => ctx.all('child', [1, 2])],
    ['child "run.0"', (ctx) => ctx.startChild('child').then((child) => void child.result())],
  ])('is told of when it fails, and does not end the process: %s', async (call, forget) => {
    await begin(async (ctx) => {
      void forget(ctx, null as never);
      for (let turn = 0; turn < 3; turn++) await ctx.sleep(`while ${turn}`, 30);
      return 'done';
    });
    expect(await parts.client.result('run')).toBe('done');
    expect(unhandled).toEqual([
      { runId: 'run', workflow: 'w', call, error: expect.objectContaining({ message: 'no' }) as Error },
    ]);
  });

  it('is told of when code that nobody awaits passes the error on, which ends the process', async () => {
    let uncaught: Error | undefined;
    await begin((ctx) => ctx.step('audit', NO, ONCE).catch((error: Error) => void (uncaught = error)));
    await parts.client.result('run');
    expect(unhandled).toEqual([]);
    (process as NodeJS.EventEmitter).emit('uncaughtExceptionMonitor', uncaught!, 'unhandledRejection');
    expect(unhandled).toEqual([{ runId: 'run', workflow: 'w', call: 'ctx.step("audit")', error: uncaught }]);
  });

  it('is told of once, not again by a replay', async () => {
    let plays = 0;
    await begin(
      async (ctx) => {
        void ctx.step('audit', NO, ONCE);
        plays++;
        await ctx.waitForSignal('longer than it stays in memory', LATER);
      },
      { residencyMs: 10 },
    );
    await until('it has played', () => plays > 0);
    await until('it has left the memory', () => parts.engine.residents.get('run') === undefined);
    await parts.client.signal(LATER, 1, { workflowId: 'run' });
    await parts.client.result('run');
    expect(plays).toBe(2);
    expect(unhandled).toHaveLength(1);
    expect(left).toHaveLength(1);
  });

  it('is told of before it is awaited late, and can be caught then', async () => {
    await begin(async (ctx) => {
      const late = ctx.step('late', NO, ONCE);
      await ctx.step('other', NOTHING);
      await ctx.sleep('while', 20);
      return late.catch((error: Error) => error.message);
    });
    expect(await parts.client.result('run')).toBe('no');
    expect(unhandled.map(({ call }) => call)).toEqual(['ctx.step("late")']);
    expect(left).toEqual([]);
  });
});
