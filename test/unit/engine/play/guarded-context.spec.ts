import type { WorkflowContext } from '../../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../../lib/engine/signals.js';
import type { TelemetryEvents } from '../../../../lib/core/telemetry.js';
import { engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { thrownBy } from '../../../support/thrown-by.js';
import { until } from '../../../support/until.js';

const KEY = new WorkflowSignal<number>('key');
const NOTHING = () => undefined;

describe('ctx', () => {
  let parts: EngineParts;
  let misused: TelemetryEvents['context.misused'][];
  beforeEach(() => {
    parts = engineParts(memoryStorage());
    misused = [];
    parts.telemetry.on('context.misused', (event) => void misused.push(event));
  });
  afterEach(() => parts.stop());

  const begin = async (run: (ctx: WorkflowContext) => Promise<unknown>): Promise<void> => {
    parts.define('w', run);
    await parts.start();
    await parts.client.start('w', null, { id: 'run' });
  };
  const play = async (run: (ctx: WorkflowContext) => Promise<unknown>): Promise<unknown> => {
    await begin(run);
    return parts.client.result('run');
  };
  const blocked = async (id: string) => {
    const { reason, reasonDetail } = await until('a block', async () => {
      const status = await parts.client.getStatus(id);
      return status.reason !== null && status;
    });
    return { reason, detail: reasonDetail! };
  };

  const CALLS: [string, (ctx: WorkflowContext) => unknown][] = [
    ['ctx.step("in")', (ctx) => ctx.step('in', NOTHING)],
    ['ctx.transaction("in")', (ctx) => ctx.transaction('in', NOTHING)],
    ['ctx.remote("in")', (ctx) => ctx.remote('in')],
    ['ctx.sleep("in")', (ctx) => ctx.sleep('in', 1)],
    ['ctx.sleepUntil("in")', (ctx) => ctx.sleepUntil('in', new Date())],
    ['ctx.waitForSignal("in")', (ctx) => ctx.waitForSignal('in', KEY)],
    ['ctx.waitForAny("in")', (ctx) => ctx.waitForAny('in', { a: ctx.timer(1) })],
    ['ctx.startChild("w")', (ctx) => ctx.startChild('w')],
    ['ctx.executeChild("w")', (ctx) => ctx.executeChild('w')],
    ['ctx.all("w")', (ctx) => ctx.all('w', [1])],
    ['ctx.publish()', (ctx) => ctx.publish({ channel: 'c', name: 'n', data: 1 })],
    ['ctx.effects()', (ctx) => ctx.effects({ operation: 'o', subject: 's', calls: [] })],
    ['ctx.commit("in")', (ctx) => ctx.commit('in')],
    ['ctx.fail("in")', (ctx) => ctx.fail('in')],
    ['ctx.continueAsNew()', (ctx) => (ctx as { continueAsNew(): unknown }).continueAsNew()],
    ['ctx.patched("in")', (ctx) => ctx.patched('in')],
    ['ctx.setStatus("in")', (ctx) => ctx.setStatus('in')],
    ['ctx.setAttributes()', (ctx) => ctx.setAttributes({ a: 1 })],
    ['ctx.now()', (ctx) => ctx.now()],
    ['ctx.random()', (ctx) => ctx.random()],
    ['ctx.uuid()', (ctx) => ctx.uuid()],
  ];

  it.each(CALLS)('%s is refused in the callback of a step, at once and without a retry', async (name, call) => {
    let attempts = 0;
    await begin(async (ctx) => {
      await ctx.step('outer', async () => {
        attempts++;
        await new Promise(setImmediate);
        return call(ctx);
      });
    });
    const { reason, detail } = await blocked('run');
    expect(reason).toBe('programming_error');
    expect(detail).toContain(`${name} of run "run" of "w" was called in the callback of step "outer"`);
    expect(detail).toContain('call it in run, before or after');
    expect(attempts).toBe(1);
    expect(misused).toHaveLength(1);
    // The callback may have done something before: it is called again only after `retry`.
    const { history } = await parts.client.getStatus('run', { history: true });
    expect(history).toMatchObject([{ name: 'outer', status: 'exhausted' }]);
  });

  it('refuses the result of a child in the callback of a step, as it does the call', async () => {
    parts.define('child', () => Promise.resolve(1));
    await begin(async (ctx) => {
      const child = await ctx.startChild('child');
      await ctx.step('outer', () => child.result());
    });
    expect((await blocked('run')).detail).toMatch(
      /^ContextMisuseError: child "run\.0" of run "run" of "w" was called in the callback of step "outer"/,
    );
    expect(misused).toHaveLength(1);
  });

  it('allows in a callback what only reads, and in run what goes on beside a callback', async () => {
    const output = await play(async (ctx) => {
      const clock = ctx.step('slow', async ({ log }) => {
        log.info('inside');
        ctx.log.info('also inside');
        for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
        return [ctx.workflowId, ctx.version, ctx.signal.aborted, ctx.context];
      });
      const beside = Promise.all([ctx.sleep('beside', 1), ctx.step('fast', () => 1)]).then(() =>
        ctx.step('then', () => 2),
      );
      return [await clock, await beside];
    });
    expect(output).toEqual([['run', 1, false, {}], 2]);
    expect(misused).toEqual([]);
  });

  it.each<[string, (ctx: WorkflowContext) => Promise<unknown>]>([
    ['the callback of transaction "t"', (ctx) => ctx.transaction('t', () => ctx.now())],
    [
      'the retryIf of "s"',
      (ctx) => {
        const retryIf = () => ctx.random() > 2;
        return ctx.step('s', () => Promise.reject(new Error('no')), { retry: { attempts: 2, retryIf } });
      },
    ],
    ['the match of signal "key"', (ctx) => ctx.waitForSignal('s', KEY, { match: () => ctx.patched('x') })],
    [
      'the match of signal "key"',
      (ctx) => ctx.waitForAny('s', { a: ctx.signalWait(KEY, { match: () => ctx.patched('x') }) }),
    ],
  ])('is refused in %s', async (where, call) => {
    let begun = false;
    await begin((ctx) => {
      begun = true;
      return call(ctx);
    });
    await until('the run', () => begun);
    await parts.client.signal(KEY, 1, { workflowId: 'run' });
    expect((await blocked('run')).detail).toContain(`was called in ${where}`);
  });

  it('is refused in a compensation, which goes on with code that is right', async () => {
    let isFixed = false;
    await begin(async (ctx) => {
      await ctx.step('s', NOTHING, { compensate: () => (isFixed ? undefined : ctx.setStatus('undone')) });
      ctx.fail('no');
    });
    expect((await blocked('run')).detail).toContain(
      'ctx.setStatus("undone") of run "run" of "w" was called in the compensation of "s"',
    );
    isFixed = true;
    await parts.client.retry('run');
    await expect(parts.client.result('run')).rejects.toThrow('no');
    expect((await parts.client.getStatus('run')).status).toBe('failed');
  });

  it('is refused once run has ended: a call rejects, without ending the process, and a value throws', async () => {
    let kept: WorkflowContext;
    await play(async (ctx) => {
      kept = ctx;
      return ctx.step('s', NOTHING);
    });
    const error = await thrownBy(kept!.step('late', NOTHING).then(NOTHING));
    expect(error).toMatchObject({ code: 'CONTEXT_MISUSE', why: 'after_end', workflowId: 'run', workflow: 'w' });
    expect(error.message).toContain('ctx.step("late") of run "run" of "w" was called after run had ended');
    void kept!.remote('late');
    expect(() => kept.now()).toThrow('was called after run had ended');
    expect(misused).toHaveLength(3);
  });

  it('is refused by the code of another run, which is blocked and records nothing', async () => {
    let shared: WorkflowContext | undefined;
    parts.define('first', async (ctx) => {
      shared = ctx;
      await ctx.waitForSignal('wait', KEY);
    });
    parts.define('second', async () => {
      await shared!.step('stolen', NOTHING);
    });
    await parts.start();
    await parts.client.start('first', null, { id: 'a' });
    await until('the first run', () => shared !== undefined);
    await parts.client.start('second', null, { id: 'b' });
    const { reason, detail } = await blocked('b');
    expect(reason).toBe('programming_error');
    expect(detail).toContain('ctx.step("stolen") of run "a" of "first" was called by the code of run "b" of "second"');
    expect(detail).toContain('pass ctx as an argument');
    await parts.client.signal(KEY, 1, { workflowId: 'a' });
    await parts.client.result('a');
    expect((await parts.client.getStatus('a', { history: true })).history).toHaveLength(1);
  });
});
