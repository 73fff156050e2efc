import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { ManualClock } from '../../../lib/core/time.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const told = new WorkflowSignal<unknown>('told');
const other = new WorkflowSignal<string>('other');

/** It waits, and says so in its history. */
const waits = (process: Process, id: string, count = 1) =>
  until(`run ${id} waits for ${count}`, async () => {
    const { history } = await process.client.getStatus(id, { history: true });
    return history!.filter(({ kind, status }) => kind === 'signal' && status === 'pending').length === count;
  });

const parked = (process: Process, id: string) =>
  until(`run ${id} is parked`, async () => {
    const { status } = await process.client.getStatus(id);
    return status === 'suspended' && process.engine.residents.size === 0;
  });

describeHouses('signals', (house) => {
  const boot = (options: Parameters<House['boot']>[0]) => house().boot(options);

  it('come in the order in which they were sent, early ones too, each id once', async () => {
    const { client } = await boot({
      workflows: {
        order: async (ctx, count: number) => {
          const got: unknown[] = [];
          for (let n = 0; n < count; n++) got.push(await ctx.waitForSignal(`n${n}`, told));
          return got;
        },
      },
    });
    const { id } = await client.start('order', 8);
    const at = new Date(5);
    expect(await client.signal(told, { at }, { workflowId: id, id: 'a' })).toEqual({ created: true });
    expect(await client.signal(told, 'again', { workflowId: id, id: 'a' })).toEqual({ created: false });
    for (let n = 1; n < 7; n++) await client.signal('told', n, { workflowId: id });
    await client.signal(told, undefined, { workflowId: id });
    expect(await client.result(id)).toEqual([{ at }, 1, 2, 3, 4, 5, 6, undefined]);
  });

  it('to a key are heard by all runs that wait', async () => {
    const { client } = await boot({
      workflows: { order: async (ctx) => ctx.waitForSignal('approval', told, { key: 'all' }) },
    });
    const runs = await Promise.all(Array.from({ length: 10 }, () => client.start('order')));
    await client.signal(told, 'go', { key: 'all' });
    expect(await Promise.all(runs.map((run) => run.result()))).toEqual(Array(10).fill('go'));
  });

  it('are each for one of the waits that a run has at once', async () => {
    const process = await boot({
      workflows: {
        order: async (ctx) => Promise.all(['a', 'b', 'c'].map((name) => ctx.waitForSignal(name, told, { key: 'k' }))),
      },
    });
    const { id } = await process.client.start('order');
    await waits(process, id, 3);
    for (const n of [1, 2]) await process.client.signal(told, n, { key: 'k' });
    await waits(process, id, 1);
    await process.client.signal(told, 3, { workflowId: id });
    const got = await process.client.result<number[]>(id);
    expect(got.sort()).toEqual([1, 2, 3]);
  });

  it('that do not match are left for other waits', async () => {
    const { client } = await boot({
      workflows: {
        order: async (ctx) => {
          const even = await ctx.waitForSignal('even', told, { match: (n) => (n as number) % 2 === 0 });
          return [even, await ctx.waitForSignal('any', told), await ctx.waitForSignal('next', told)];
        },
      },
    });
    const { id } = await client.start('order');
    for (const n of [1, 3, 4]) await client.signal(told, n, { workflowId: id });
    expect(await client.result(id)).toEqual([4, 1, 3]);
  });

  it('that a match throws at fail the step; wrong code blocks the run', async () => {
    let match = (n: unknown): boolean => (n as { a: { b: boolean } }).a.b;
    const process = await boot({
      workflows: {
        strict: async (ctx) => {
          const failure = await ctx
            .waitForSignal('w', told, {
              match: () => {
                throw Object.assign(new Error('unwanted'), { code: 'UNWANTED' });
              },
            })
            .catch((error: unknown) => error);
          return [(failure as { code: string }).code, await ctx.waitForSignal('next', told)];
        },
        wrong: async (ctx) => ctx.waitForSignal('w', told, { match: (n) => match(n) }),
      },
    });
    const { client } = process;
    const [strict, wrong] = await Promise.all([client.start('strict'), client.start('wrong')]);
    await client.signal(told, 'one', { workflowId: strict.id });
    await client.signal(told, 'two', { workflowId: wrong.id });
    expect(await strict.result()).toEqual(['UNWANTED', 'one']);
    const blocked = await until('it is blocked', async () => {
      const status = await wrong.status();
      return status.reason && status;
    });
    expect(blocked).toMatchObject({ status: 'suspended', reason: 'programming_error' });
    match = (n) => n === 'two';
    await client.retry(wrong.id);
    expect(await wrong.result()).toBe('two');
  });

  it('find a run that is parked, and one that another process plays', async () => {
    const workflows = { order: async (ctx: WorkflowContext) => ctx.waitForSignal('w', told) };
    const near = await boot({ residencyMs: 40, workflows });
    const far = await boot({ engine: false, role: 'client' });
    const { id } = await near.client.start('order');
    await parked(near, id);
    await far.client.signal(told, 'parked', { workflowId: id });
    expect(await far.client.result(id)).toBe('parked');
    const second = await boot({ workflows });
    const run = await second.client.start('order');
    await waits(second, run.id);
    await far.client.signal(told, 'resident', { workflowId: run.id });
    expect(await far.client.result(run.id)).toBe('resident');
  });

  it('are refused at the door when they are for nobody', async () => {
    const { client } = await boot({});
    const code = (signal: Promise<unknown>) => signal.catch((error: { code: string }) => error.code);
    expect(await code(client.signal(told, 1, { workflowId: 'none' }))).toBe('WORKFLOW_NOT_FOUND');
    expect(await code(client.signal(told, 1, {}))).toBe('INVALID_ARGUMENT');
    expect(await code(client.signal(told, 1, { key: 'k', workflowId: 'w' }))).toBe('INVALID_ARGUMENT');
    expect(await code(client.signal(told, () => 1, { key: 'k' }))).toBe('NOT_SERIALIZABLE');
    expect(await code(client.signal('', 1, { key: 'k' }))).toBe('INVALID_ARGUMENT');
    expect(await code(client.signal(told, 'x'.repeat(2 << 20), { key: 'k' }))).toBe('PAYLOAD_TOO_LARGE');
  });

  it('outlive continueAsNew: those taken are gone, the others are for the next life', async () => {
    const { client } = await boot({
      workflows: {
        order: async (ctx, got: number[]) => {
          const next = [...got, (await ctx.waitForSignal('w', told)) as number];
          return next.length === 5 ? next : ctx.continueAsNew(next);
        },
      },
    });
    const { id } = await client.start('order', []);
    for (const n of [1, 2, 3, 4, 5]) await client.signal(told, n, { workflowId: id });
    expect(await client.result(id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('first of several: what comes first counts, the others as not waited for', async () => {
    const process = await boot({
      workflows: {
        child: async (ctx, how: string) => {
          const said = await ctx.waitForSignal('go', told);
          if (how === 'fail') ctx.fail(String(said), 'CHILD');
          return said;
        },
        order: async (ctx, how: string) => {
          const child = await ctx.startChild<string>('child', how, { id: `child-${how}` });
          const wanted = {
            told: ctx.signalWait(told, { key: how }),
            other: ctx.signalWait(other),
            child,
            soon: ctx.timer(how === 'timer' ? 30 : '1h'),
            late: ctx.timer('2h'),
          };
          const first = await ctx.waitForAny('first', wanted).catch((error: { code: string }) => error.code);
          return [first, how === 'timer' ? await ctx.waitForSignal('after', other) : undefined];
        },
      },
    });
    const { client } = process;
    const begin = async (how: string) => {
      const run = await client.start('order', how);
      await waits(process, run.id);
      return run;
    };
    const byKey = await begin('key');
    await client.signal(told, 'hello', { key: 'key' });
    expect(await byKey.result()).toEqual([{ key: 'told', value: 'hello' }, undefined]);
    const byRun = await begin('run');
    await client.signal(other, 'direct', { workflowId: byRun.id });
    expect(await byRun.result()).toEqual([{ key: 'other', value: 'direct' }, undefined]);
    const byChild = await begin('child');
    await client.signal(told, 'from child', { workflowId: 'child-child' });
    expect(await byChild.result()).toEqual([{ key: 'child', value: 'from child' }, undefined]);
    const byFailure = await begin('fail');
    await client.signal(told, 'broken', { workflowId: 'child-fail' });
    expect(await byFailure.result()).toEqual(['CHILD', undefined]);
    const byTime = await client.start('order', 'timer');
    await until('time was first', async () => {
      const { history } = await client.getStatus(byTime.id, { history: true });
      return history!.some(({ name }) => name === 'after');
    });
    await client.signal(other, 'later', { workflowId: byTime.id });
    expect(await byTime.result()).toEqual([{ key: 'soon', value: undefined }, 'later']);
  });

  it('are not lost when processes die between delivery and taking', async () => {
    const body = {
      order: async (ctx: WorkflowContext) => {
        const got: unknown[] = [];
        for (let n = 0; n < 3; n++) got.push(await ctx.waitForSignal(`n${n}`, told, { key: 'k' }));
        return got;
      },
    };
    const calls = [
      'mailbox.deliver',
      'mailbox.deliver',
      'store.commit',
      'store.commit',
      'mailbox.send',
      'answers.answer',
    ];
    const { client } = await boot({ engine: false });
    let id: string | undefined;
    for (const [n, fatal] of calls.entries()) {
      let countdown = 1 + (n % 3);
      const mortal: Process = await boot({
        workflows: body,
        hooks: {
          after: (call) => {
            if (call === fatal && --countdown === 0) mortal.kill();
          },
        },
      });
      id ??= (await client.start('order')).id;
      const run = id;
      if (n < 3) await client.signal(told, n, { key: 'k' });
      await until('it died, or took what was sent', async () => {
        const { history } = await client.getStatus(run, { history: true });
        const taken = history!.filter(({ kind, status }) => kind === 'signal' && status === 'completed').length;
        return !mortal.alive || taken === Math.min(3, n + 1);
      });
      // Whether it lived so far or not: one that is told to stop may still come to the call at which it dies.
      mortal.kill();
      await house().bury(mortal);
    }
    await boot({ workflows: body });
    expect(await client.result(id!)).toEqual([0, 1, 2]);
  });
});

const clock = new ManualClock();

describeHouses(
  'signals that were sent before a run began',
  (house) => {
    const boot = (options: Parameters<House['boot']>[0]) => house().boot(options);

    it('to a key count before the run is there, and are taken by one of those that begin later', async () => {
      const { client } = await boot({
        workflows: { order: async (ctx, key: string) => ctx.waitForSignal('approval', told, { key }) },
      });
      await client.signal(told, 'early', { key: 'k' });
      clock.advance(1);
      const [a, b] = await Promise.all([client.start('order', 'k'), client.start('order', 'k')]);
      const first = await Promise.race([a.result(), b.result()]);
      expect(first).toBe('early');
      const counts = async () =>
        (await Promise.all([a.status(), b.status()])).filter(({ status }) => status === 'completed').length;
      expect(await counts()).toBe(1);
      await client.signal(told, 'late', { key: 'k' });
      expect((await Promise.all([a.result(), b.result()])).sort()).toEqual(['early', 'late']);
    });

    it('of a key that do not match are left for other runs', async () => {
      const process = await boot({
        workflows: {
          picky: async (ctx) => ctx.waitForSignal('w', told, { key: 'k', match: (n) => n === 'mine' }),
          easy: async (ctx) => ctx.waitForSignal('w', told, { key: 'k' }),
        },
      });
      const { client } = process;
      await client.signal(told, 'anybody', { key: 'k' });
      clock.advance(1);
      const picky = await client.start('picky');
      await waits(process, picky.id);
      const easy = await client.start('easy');
      expect(await easy.result()).toBe('anybody');
      await client.signal(told, 'mine', { key: 'k' });
      expect(await picky.result()).toBe('mine');
    });

    it.each(['cancel', 'terminate', 'timeout', 'undo'])(
      'of a key that a run stood still with go to another that waits when it is ended: %s',
      async (how) => {
        const wrong = async (ctx: WorkflowContext) => {
          if (how === 'undo') await ctx.step('book', async () => 1, { compensate: async () => undefined });
          await ctx.waitForSignal('w', told, { key: 'k', match: (n) => (n as { a: { b: boolean } }).a.b });
        };
        const easy = async (ctx: WorkflowContext) => ctx.waitForSignal('w', told, { key: 'k' });
        const near = await boot({ workflows: { wrong, easy } });
        // It has no engine that could deliver.
        const far = await boot({ engine: false });
        await near.client.signal(told, 'early', { key: 'k' });
        clock.advance(1);
        const first = await near.client.start('wrong', null, how === 'timeout' ? { timeout: 1_000 } : {});
        await until('it stands still', async () => {
          const { history } = await near.client.getStatus(first.id, { history: true });
          return history!.some(({ kind, status }) => kind === 'signal' && status === 'answered');
        });
        const second = await near.client.start('easy');
        await waits(near, second.id);
        if (how === 'terminate') await far.client.terminate(first.id);
        else if (how === 'timeout') clock.advance(1_000);
        else await far.client.cancel(first.id);
        expect(await second.result()).toBe('early');
        const { status } = await until('the first has ended', async () => {
          const ended = await near.client.getStatus(first.id);
          return ended.finishedAt !== null && ended;
        });
        expect(status).toBe(how === 'timeout' ? 'failed' : 'cancelled');
      },
    );

    it('of a key come to exactly one of those that begin later, whenever the first of them is cancelled', async () => {
      const order = async (ctx: WorkflowContext, key: string) => ctx.waitForSignal('w', told, { key });
      const near = await boot({ workflows: { order } });
      const far = await boot({ engine: false });
      const keys = Array.from({ length: 40 }, (_, n) => `k${n}`);
      await Promise.all(keys.map((key) => far.client.signal(told, 'early', { key })));
      clock.advance(1);
      const takers = keys.map(async (key, n) => {
        const [first, second] = [await far.client.start('order', key), await near.client.start('order', key)];
        await new Promise((resolve) => setTimeout(resolve, n * 2));
        const isOpen = await far.client.cancel(first.id);
        const { status } = await until('the first has ended', async () => {
          const ended = await near.client.getStatus(first.id);
          return ended.finishedAt !== null && ended;
        });
        if (status === 'completed') await far.client.signal(told, 'late', { key });
        expect(isOpen || status === 'completed').toBe(true);
        expect(await second.result()).toBe(status === 'completed' ? 'late' : 'early');
      });
      await Promise.all(takers);
    });
  },
  { clock },
);

describeHouses(
  'waits with a timeout',
  (house) => {
    const pass = async (process: Process, ms: number) => {
      clock.advance(ms);
      await process.engine.heartbeat.beat();
      process.timers.fire();
      process.engine.wake();
    };
    const order = async (ctx: WorkflowContext) => ctx.waitForSignal('w', told, { timeout: '1h' });

    it('take what comes before it, and null once it has passed', async () => {
      const process = await house().boot({ workflows: { order }, residencyMs: 5 * 3_600_000 });
      const [a, b] = [await process.client.start('order'), await process.client.start('order')];
      await waits(process, a.id);
      await waits(process, b.id);
      await pass(process, 3_600_000 - 1);
      await process.client.signal(told, 'in time', { workflowId: a.id });
      expect(await a.result()).toBe('in time');
      await pass(process, 2);
      expect(await b.result()).toBe(null);
    });

    it('are for one life of a run, though it lives and continues within one millisecond', async () => {
      const count = async (ctx: WorkflowContext<number[]>, got: number[]) => {
        const next = [...got, (await ctx.waitForSignal('w', told)) as number];
        return next.length === 3 ? next : ctx.continueAsNew(next);
      };
      const { client } = await house().boot({ workflows: { count } });
      const { id } = await client.start('count', []);
      for (const n of [1, 2, 3]) await client.signal(told, n, { workflowId: id });
      expect(await client.result(id)).toEqual([1, 2, 3]);
    });

    it('are decided by when the signal was sent, though nobody was there to see (E10)', async () => {
      const process = await house().boot({ workflows: { order } });
      const runs = [await process.client.start('order'), await process.client.start('order')];
      for (const { id } of runs) await waits(process, id);
      await process.stop();
      const { client } = await house().boot({ engine: false });
      clock.advance(1_800_000);
      await client.signal(told, 'in time', { workflowId: runs[0]!.id });
      clock.advance(1_800_001);
      for (const { id } of runs) await client.signal(told, 'too late', { workflowId: id });
      await house().boot({ workflows: { order } });
      expect(await client.result(runs[0]!.id)).toBe('in time');
      expect(await client.result(runs[1]!.id)).toBe(null);
    });
  },
  { clock },
);

describeSqlHouses('signals in the app’s transaction', (house) => {
  it('are sent with its commit, never after a rollback, and hold up nobody meanwhile (N3)', async () => {
    const process = await house().boot({
      workflows: { order: async (ctx) => [await ctx.waitForSignal('a', told), await ctx.waitForSignal('b', told)] },
    });
    const { client } = process;
    const { orm } = house().backend!;
    const [a, b] = await Promise.all([client.start('order'), client.start('order')]);
    await waits(process, a.id);
    await waits(process, b.id);
    const rolledBack = inAppTransaction(orm, process.storage.handle, async ({ handle: transaction }) => {
      await client.signal(told, 'rolled back', { workflowId: a.id, transaction });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const [sent, done] = [gate(), gate()];
    const open = inAppTransaction(orm, process.storage.handle, async ({ handle: transaction }) => {
      await client.signal(told, 'in it', { workflowId: a.id, id: 'once', transaction });
      sent.open();
      await done.opened;
    });
    await sent.opened;
    // Others go on, also to the same run.
    for (const n of [1, 2]) await client.signal(told, n, { workflowId: b.id });
    expect(await b.result()).toEqual([1, 2]);
    await client.signal(told, 'beside it', { workflowId: a.id });
    await until('it is taken', async () => {
      const { history } = await client.getStatus(a.id, { history: true });
      return history!.some(({ name, status }) => name === 'a' && status === 'completed');
    });
    done.open();
    await open;
    expect(await a.result()).toEqual(['beside it', 'in it']);
  });
});
