import { randomUUID } from 'node:crypto';
import { WorkflowSignal } from '../../../../lib/engine/signals.js';
import type { TelemetryEvents } from '../../../../lib/core/telemetry.js';
import { macrotask } from '../../../../lib/core/time.js';
import { type Body, engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage, type OpenStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

const GO = new WorkflowSignal<number>('go');
const NOTHING = () => undefined;

describe('A second play', () => {
  let storage: OpenStorage;
  let parts: EngineParts;
  let parted: TelemetryEvents['run.parted'][];
  afterEach(() => parts.stop());

  const begin = async (run: Body, determinism: 'warn' | 'error' = 'warn') => {
    parted = [];
    storage = memoryStorage();
    parts = engineParts(storage, { determinism, residencyMs: 20 });
    parts.telemetry.on('run.parted', (event) => void parted.push(event));
    parts.define('w', run);
    parts.define('child', () => Promise.resolve(1));
    await parts.start();
    await parts.client.start('w', { order: 7 }, { id: 'run' });
  };
  const place = async () => {
    await until('the place', () => parted.length > 0);
    const { runId, workflow, version, position, expected, found } = parted[0]!;
    expect({ runId, workflow, version }).toEqual({ runId: 'run', workflow: 'w', version: 1 });
    return { position, expected, found };
  };

  const OUTSIDE = 'a wait for something that is no step: a timer, fetch or a query';
  let plays = 0;
  beforeEach(() => (plays = 0));
  /** So many turns of the loop that the code is seen to rest, and far fewer than a replay check is patient for. */
  const outside = async () => {
    for (let turn = 0; turn < 100; turn++) await macrotask();
  };
  it.each<[string, Body, object]>([
    [
      'another step',
      async (ctx) => {
        await ctx.step('first', NOTHING);
        await ctx.step(plays++ === 0 ? 'heads' : 'tails', NOTHING);
      },
      { position: 1, expected: 'step "heads"', found: 'step "tails"' },
    ],
    [
      'one step less',
      async (ctx) => {
        await ctx.step('first', NOTHING);
        if (plays++ === 0) await ctx.step('sometimes', NOTHING);
      },
      { position: 1, expected: 'step "sometimes"', found: 'nothing' },
    ],
    [
      'one step more',
      async (ctx) => {
        await ctx.step('first', NOTHING);
        if (plays++ > 0) await ctx.step('sometimes', NOTHING);
      },
      { position: 1, expected: 'the output of run', found: 'step "sometimes"' },
    ],
    [
      'the input of a child, by the time of the machine',
      (ctx) => ctx.executeChild('child', { order: { at: Date.now() } }),
      {
        position: 0,
        expected: 'child "child" with the same input',
        found: 'child "child" with another one (it differs at .order.at)',
      },
    ],
    [
      'a wait outside of steps',
      async (ctx) => {
        await ctx.step('first', NOTHING);
        await outside();
        await ctx.step('second', NOTHING);
      },
      { position: 1, expected: 'step "second"', found: OUTSIDE },
    ],
    [
      'a wait before the first step',
      async (ctx) => {
        await outside();
        await ctx.step('first', NOTHING);
        await ctx.step('second', NOTHING);
      },
      { position: 0, expected: 'step "first"', found: OUTSIDE },
    ],
    [
      'a wait before the only step',
      async (ctx) => {
        await outside();
        await ctx.step('first', NOTHING);
      },
      { position: 0, expected: 'step "first"', found: OUTSIDE },
    ],
    [
      'a wait in a run without steps',
      async () => {
        await outside();
      },
      { position: 0, expected: 'the output of run', found: OUTSIDE },
    ],
    [
      'a wait outside of steps at the end',
      async (ctx) => {
        await ctx.step('first', NOTHING);
        await outside();
      },
      { position: 1, expected: 'the output of run', found: OUTSIDE },
    ],
    [
      'an error in place of the output',
      async (ctx) => {
        await ctx.step('first', NOTHING);
        if (plays++ > 0) throw new Error('only now');
      },
      { position: 1, expected: 'the output of run', found: 'an error of run' },
    ],
    [
      'the output in place of an error',
      async (ctx) => {
        await ctx.step('first', NOTHING);
        if (plays++ === 0) throw new Error('only at first');
      },
      { position: 1, expected: 'an error of run', found: 'the output of run' },
    ],
    [
      'an input before an error',
      async (ctx) => {
        await ctx.executeChild('child', Date.now());
        ctx.fail('no');
      },
      { position: 0, expected: 'child "child" with the same input', found: 'child "child" with another one' },
    ],
  ])('says where code parts from its history: %s', async (_, body, expected) => {
    await begin(body);
    await parts.client.result('run').catch(NOTHING);
    expect(await place()).toEqual(expected);
    expect((parted[0]!.error as Error).message).toContain('Between steps use ctx.now(), ctx.random() and ctx.uuid()');
  });

  it('says it when the run is parked, too', async () => {
    await begin(async (ctx) => {
      await ctx.remote('charge', { key: randomUUID() });
    });
    const found = 'remote "charge" with another one (it differs at .key)';
    expect(await place()).toEqual({ position: 0, expected: 'remote "charge" with the same input', found });
  });

  it('blocks the run with `error`, at its end and before it is parked, and writes nothing else', async () => {
    await begin(async (ctx) => {
      await ctx.step('first', NOTHING);
      await ctx.step(`second ${plays++}`, NOTHING);
    }, 'error');
    const status = await until('the block', async () => {
      const status = await parts.client.getStatus('run');
      return status.reason !== null && status;
    });
    expect(status).toMatchObject({ status: 'suspended', reason: 'non_determinism' });
    expect(status.mismatch).toEqual({ seq: 1, recorded: 'step "second 0"', asked: 'step "second 1"' });
    expect((await storage.catalog.steps('run')).map(({ name }) => name)).toEqual(['first', 'second 0']);
  });

  it('blocks a run that would fail, too, with its history as it is', async () => {
    await begin(async (ctx) => {
      await ctx.step('undoable', NOTHING, { compensate: NOTHING });
      await ctx.step(`second ${plays++}`, NOTHING);
      ctx.fail('no');
    }, 'error');
    const { mismatch } = await until('the block', async () => {
      const status = await parts.client.getStatus('run');
      return status.reason !== null && status;
    });
    expect(mismatch).toEqual({ seq: 1, recorded: 'step "second 0"', asked: 'step "second 1"' });
    expect((await storage.catalog.steps('run')).map(({ name }) => name)).toEqual(['undoable', 'second 0']);
  });

  it('has nothing to say of code that keeps to the rules, and runs no step twice', async () => {
    let acted = 0;
    await begin(async (ctx, input) => {
      const key = ctx.uuid();
      ctx.log.info('begins');
      ctx.setStatus(`since ${ctx.now().toISOString()}`);
      const raced = await Promise.race([ctx.sleep('soon', 5).then(() => 'slept'), ctx.waitForSignal('late', GO)]);
      const steps = await Promise.all(
        [1, 2, 3].map((n) => ctx.step(`act ${n}`, () => ++acted && n, { compensate: NOTHING })),
      );
      await ctx
        .step('fails', () => Promise.reject(new Error('no')), { retry: { attempts: 2, backoff: { delay: 1 } } })
        .catch(NOTHING);
      const child = await ctx.startChild('child', { key, input });
      await ctx.waitForAny('any', { child, timer: ctx.timer('1h') });
      await ctx.waitForSignal('go', GO);
      return { raced, steps, at: ctx.now() };
    }, 'error');
    await until('the park', async () => (await parts.client.getStatus('run')).status === 'suspended');
    await parts.client.signal(GO, 1, { workflowId: 'run' });
    await parts.client.signal(GO, 2, { workflowId: 'run' });
    expect(await parts.client.result('run')).toMatchObject({ raced: 'slept', steps: [1, 2, 3] });
    expect(acted).toBe(3);
    expect(parted).toEqual([]);
  });

  it('has nothing to say of runs that end early, begin anew, or are undone', async () => {
    await begin(async (ctx, { order }: { order: number }) => {
      await ctx.step('undoable', NOTHING, { compensate: NOTHING });
      if (order === 7) await ctx.continueAsNew({ order: 8 });
      ctx.fail('no');
    }, 'error');
    await until('the end', async () => (await parts.client.getStatus('run')).status === 'failed');
    await parts.client.start('w', { order: 9 }, { id: 'other', timeout: 5 });
    await until('the end', async () => (await parts.client.getStatus('other')).status === 'failed');
    expect(parted).toEqual([]);
  });

  it.each<[string, Body]>([
    ['another input', (ctx) => ctx.executeChild('child', Date.now())],
    ['another step at each play', (ctx) => ctx.step(`at ${Math.random()}`, NOTHING)],
  ])('says each place once, however many runs come there: %s', async (_, run) => {
    await begin(run);
    await place();
    await parts.client.start('w', null, { id: 'second' });
    await parts.client.result('second');
    await parts.client.start('w', null, { id: 'third' });
    await parts.client.result('third');
    expect(parted).toHaveLength(1);
  });
});
