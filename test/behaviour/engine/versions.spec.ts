import { type Held, NOTHING_HELD } from '../../../lib/acts/holds.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import type { ClaimedRun } from '../../../lib/engine/run.js';
import type { ClaimRuns, RunWrite } from '../../../lib/engine/runs.js';
import { gate } from '../../support/gate.js';
import type { PortHooks } from '../../support/mortal-storage.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

describeHouses('code that changes', (house) => {
  const parked = async (body: (ctx: WorkflowContext) => Promise<unknown>, id = 'r1') => {
    const old = await house().boot({ workflows: { order: body }, residencyMs: 1 });
    await old.client.start('order', null, { id });
    await until('the run to be parked', async () => (await old.client.getStatus(id)).status === 'suspended');
    await old.stop();
  };

  it('a patch is taken by new runs, and by runs that had not come to it', async () => {
    const asked: string[] = [];
    const next = async (ctx: WorkflowContext) => {
      await ctx.step('first', () => 1);
      await ctx.remote('wait');
      if (ctx.patched('check')) asked.push(await ctx.step('check', () => 'checked'));
      await ctx.step('last', () => 2);
      return asked.length;
    };
    await parked(async (ctx) => {
      await ctx.step('first', () => 1);
      await ctx.remote('wait');
    });
    const process = await house().boot({ workflows: { order: next }, handlers: { wait: () => null } });
    expect(await process.client.result('r1')).toBe(1);
    expect(await process.client.startAndWait('order')).toBe(2);
    expect((await process.client.getStatus('r1', { history: true })).history?.map(({ name }) => name)).toEqual([
      ...['first', 'wait', 'patched:check', 'check', 'last'],
    ]);
  });

  it('a patch is not taken by a run that has passed it, however often it is replayed', async () => {
    await parked(async (ctx) => {
      await ctx.step('first', () => 1);
      await ctx.step('last', () => 2);
      await ctx.remote('wait');
    });
    const next = async (ctx: WorkflowContext) => {
      await ctx.step('first', () => 1);
      if (ctx.patched('check')) await ctx.step('check', () => 'checked');
      await ctx.step('last', () => 2);
      await ctx.remote('wait');
      return ctx.patched('check');
    };
    const one = await house().boot({ workflows: { order: next }, residencyMs: 1 });
    await until('the run to be looked at', async () => (await one.client.getStatus('r1')).status === 'suspended');
    one.serve({ wait: () => null });
    expect(await one.client.result('r1')).toBe(true);
    expect((await one.client.getStatus('r1', { history: true })).history?.map(({ name }) => name)).toEqual([
      ...['first', 'last', 'wait', 'patched:check'],
    ]);
  });

  it('a run stays on its version', async () => {
    await parked(async (ctx) => {
      await ctx.remote('wait');
      return 'old';
    });
    const process = await house().boot({ handlers: { wait: () => null } });
    process.define('order', async () => 'new', 2);
    expect(await process.client.startAndWait('order')).toBe('new');
    expect((await process.client.getStatus('r1')).version).toBe(1);
    process.define('order', async (ctx) => {
      await ctx.remote('wait');
      return 'old';
    });
    process.engine.wake();
    expect(await process.client.result('r1')).toBe('old');
  });

  it('a run may begin anew by the same id, and no step of it has the identity of one before', async () => {
    const keys: string[] = [];
    const process = await house().boot({
      workflows: {
        count: async (ctx: WorkflowContext<{ left: number; sum: number }>, input: { left: number; sum: number }) => {
          const sum = await ctx.step('add', ({ idempotencyKey }) => {
            keys.push(idempotencyKey);
            return input.sum + input.left;
          });
          await ctx.remote('noted', sum);
          if (input.left === 0) return sum;
          return ctx.continueAsNew({ left: input.left - 1, sum });
        },
      },
      handlers: { noted: () => null },
    });
    expect(await process.client.startAndWait('count', { left: 4, sum: 0 }, { id: 'c1' })).toBe(10);
    expect(keys).toEqual([0, 2, 4, 6, 8].map((seq) => `c1:${seq}`));
    const { history, input } = await process.client.getStatus('c1', { history: true });
    expect(history?.map(({ seq }) => seq)).toEqual([8, 9]);
    expect(input).toEqual({ left: 0, sum: 10 });
  });

  it('what a run that begins anew has asked for is given up', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx: WorkflowContext<number>, input: number) => {
          if (input === 2) return 'done';
          void ctx.remote('slow').catch(() => undefined);
          await ctx.sleep('a moment', 20);
          return ctx.continueAsNew(2);
        },
      },
    });
    expect(await process.client.startAndWait('order', 1, { id: 'r1' })).toBe('done');
    expect(await process.storage.dispatcher.lost(['r1:0'])).toEqual(['r1:0']);
    const late = { stepId: 'r1:0', runId: 'r1', seq: 0, status: 'completed', output: '1', error: null } as const;
    await process.storage.store.settleUnowned('', [{ ...late, startedAt: 1, createdAt: 1 }], async () => {});
    expect(await process.client.result('r1')).toBe('done');
  });
});

describeHouses('a blocked run whose code was mended', (house) => {
  it('is tried by a process that starts while another workflow is held, which waits until it is lifted', async () => {
    const wrong = () => Promise.reject(new TypeError('wrong code'));
    const old = await house().boot({ workflows: { held: wrong, other: wrong } });
    const [held, other] = [await old.client.start('held'), await old.client.start('other')];
    const reason = async (id: string) => (await old.client.getStatus(id)).reason;
    for (const { id } of [held, other])
      await until(`${id} is blocked`, async () => (await reason(id)) === 'programming_error');
    let isHeld = true;
    let lift = () => {};
    const holds: Held = {
      ...NOTHING_HELD,
      isHeld: (_, name) => isHeld && name === 'held',
      onChanged: (listener) => ((lift = listener), () => undefined),
    };
    const right = () => Promise.resolve('right');
    await house().boot({ workflows: { held: right, other: right }, held: holds });
    expect(await other.result()).toBe('right');
    expect(await reason(held.id)).toBe('programming_error');
    isHeld = false;
    lift();
    expect(await held.result()).toBe('right');
  });

  it('is left alone by the process that has blocked it with the code that it has', async () => {
    let plays = 0;
    let looks = 0;
    const hooks: PortHooks = {
      after: (call, [request]) => {
        if (call === 'store.claim' && (request as ClaimRuns).which === 'blocked') looks++;
      },
    };
    const wrong = () => {
      plays++;
      return Promise.reject(new TypeError('wrong code'));
    };
    const nodeLeaseMs = 3_000;
    const one = await house().boot({ workflows: { wrong }, hooks, nodeLeaseMs });
    const { id } = await one.client.start('wrong');
    await until('it is blocked', async () => (await one.client.getStatus(id)).reason === 'programming_error');
    // Another process has ended, so what is blocked is looked for anew, twice.
    await (await house().boot({ workflows: {}, nodeLeaseMs })).stop();
    const before = looks;
    await until('it was looked for again', () => looks >= before + 2);
    expect(await one.client.getStatus(id)).toMatchObject({ status: 'suspended', reason: 'programming_error' });
    expect(plays).toBe(1);
    expect(await one.client.retryAll({ blocked: true }, { actor: 'ada', reason: 'mended' }).all()).toMatchObject({
      done: 1,
    });
    await until('it was played again', () => plays === 2);
  });

  it('is left alone also where it is blocked while that process looks for what is blocked', async () => {
    const [begun, looks, blocked] = [gate(), gate(), gate()];
    let isLooking = false;
    const found: string[] = [];
    const isLook = (call: string, request: unknown) =>
      isLooking && call === 'store.claim' && (request as ClaimRuns).which === 'blocked';
    const hooks: PortHooks = {
      before: async (call, [request]) => {
        if (!isLook(call, request)) return;
        looks.open();
        await blocked.opened;
      },
      after: (call, [request], answer) => {
        if (call === 'store.commit' && (request as RunWrite[]).some(({ transition }) => transition)) blocked.open();
        if (isLook(call, request)) found.push(...(answer as ClaimedRun[]).map(({ id }) => id));
      },
    };
    const wrong = async () => {
      begun.open();
      await looks.opened;
      throw new TypeError('wrong code');
    };
    const one = await house().boot({ workflows: { wrong }, hooks });
    await one.client.start('wrong', null, { id: 'r1' });
    await begun.opened;
    isLooking = true;
    one.engine.claimer.tryBlockedAgain();
    await one.engine.claimer.tick();
    expect((await one.client.getStatus('r1')).reason).toBe('programming_error');
    expect(found).toEqual([]);
  });
});

describeHouses('a run that an older process has blocked, after a newer one had tried what was blocked', (house) => {
  const right = async (ctx: WorkflowContext) => {
    await ctx.remote('wait');
    return 'right';
  };
  const old = {
    programming_error: () => Promise.reject(new TypeError('wrong code')),
    non_determinism: (ctx: WorkflowContext) => ctx.step('another', () => 1),
  };
  const workflows = { programming_error: right, non_determinism: right };
  const ids = Object.keys(workflows);
  const nodeLeaseMs = 3_000;

  it.each(['has signed off', 'has lapsed'])('is tried again once that process %s', async (how) => {
    const first = await house().boot({ workflows, residencyMs: 1 });
    for (const id of ids) await first.client.start(id, null, { id });
    const stateOf = (id: string) => first.client.getStatus(id);
    for (const id of ids) await until('it is parked', async () => (await stateOf(id)).status === 'suspended');
    await first.stop();

    let tries = 0;
    let isPaused = false;
    const resumed = gate();
    const hooks: PortHooks = {
      before: async (call) => {
        if (isPaused && call === 'store.claim') await resumed.opened;
      },
      after: (call, [request]) => {
        if (call === 'store.claim' && (request as ClaimRuns).which === 'blocked') tries++;
      },
    };
    const newer = await house().boot({ workflows, nodeLeaseMs, hooks });
    // It looks for each of them twice.
    await until('it has tried all', () => tries === 2 * ids.length);
    isPaused = true;
    const older = await house().boot({ workflows: old, nodeLeaseMs });
    for (const id of ids) await older.client.completeStep(`${id}:0`, null);
    for (const id of ids) await until('it is blocked', async () => (await stateOf(id)).reason === id);
    resumed.open();
    if (how === 'has lapsed') older.kill();
    else await older.stop();
    for (const id of ids) expect(await newer.client.result(id, { timeout: '120s' })).toBe('right');
  });
});
