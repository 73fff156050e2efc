import { DatabaseError } from '../../../lib/core/errors.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import type { OpenStorage } from '../../support/engine-storage.js';
import { describeHouses, type BootOptions, type Process } from '../../support/processes.js';
import { stepOutbox, type StepOutbox } from '../../support/step-events.js';
import { until } from '../../support/until.js';

const event = (name: string, data: unknown = null, channel = 'orders') => ({ channel, name, data });
const go = new WorkflowSignal<null>('go');
const publishes = (writes: unknown): boolean =>
  (writes as readonly RunWrite[]).some(({ extras }) => (extras?.publishes?.length ?? 0) > 0);

const caught = (error: unknown) => {
  const { name, message, code } = error as Error & { code?: string };
  return { name, message, code };
};

/** Publishes between steps of all kinds, and last of all. */
const body = async (ctx: WorkflowContext, n: number) => {
  const first = await ctx.publish(event('begun', n));
  const a = await ctx.step('a', () => n + 1);
  await ctx.publish('middle', [event('one', a), event('two', a, 'other')]);
  const b = await ctx.remote<number>('double', a);
  const ids = await Promise.all([ctx.publish(event('three', b)), ctx.publish(event('four', b))]);
  await ctx.sleep('nap', 5);
  const last = await ctx.publish('last', event('five', b));
  return [...first, ...ids.flat(), ...last];
};
const handlers = { double: (n: number) => n * 2 };
const expected = (n: number) => [
  ...[event('begun', n), event('one', n + 1), event('two', n + 1, 'other')],
  ...[event('three', 2 * n + 2), event('four', 2 * n + 2), event('five', 2 * n + 2)],
];

describeHouses('ctx.publish', (house) => {
  let outbox: StepOutbox;
  beforeEach(async () => {
    outbox = await stepOutbox(house().backend);
  });
  const boot = (options: BootOptions) =>
    house().boot({ stepEvents: (storage: OpenStorage) => outbox.of(storage), ...options });
  const seen = async () => (await outbox.published()).map(({ channel, name, data }) => ({ channel, name, data }));
  const ids = async () => (await outbox.published()).map(({ mutationId }) => mutationId);

  it('writes its events once, in order and with ids of their own, and shows a marker for it', async () => {
    const process = await boot({ workflows: { order: body }, handlers });
    const output = await process.client.startAndWait<string[]>('order', 1, { id: 'r1', timeout: '120s' });
    expect(await seen()).toEqual(expected(1));
    const [begun, one, two, ...rest] = await ids();
    expect(output).toEqual([begun, ...rest]);
    expect(new Set([begun, one, two, ...rest]).size).toBe(6);
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history!.filter(({ kind }) => kind === 'marker')).toMatchObject([
      { name: 'publish', status: 'completed', output: { ids: [begun], channels: ['orders'] } },
      { name: 'middle', output: { ids: [one, two], channels: ['orders', 'other'] } },
      { name: 'publish' },
      { name: 'publish' },
      { name: 'last' },
    ]);
    expect(new Set(outbox.told)).toEqual(new Set(['orders', 'other']));
  });

  it('keeps the mutation ids and the order that the code chose, and takes none at all', async () => {
    const process = await boot({
      workflows: {
        order: async (ctx) => [
          await ctx.publish({ ...event('e'), mutationId: 'mine', headers: { a: 1 } }),
          await ctx.publish([]),
        ],
      },
    });
    expect(await process.client.startAndWait('order')).toEqual([['mine'], []]);
    expect(await ids()).toEqual(['mine']);
  });

  it('publishes nothing again on replay, and answers the same ids', async () => {
    const answered: string[][] = [];
    const workflows = {
      order: async (ctx: WorkflowContext) => {
        const published = [...(await ctx.publish(event('one'))), ...(await ctx.publish('two', event('two')))];
        answered.push(published);
        await ctx.waitForSignal('go', go);
        await ctx.publish(event('three'));
        return published;
      },
    };
    const first = await boot({ workflows });
    const { id } = await first.client.start('order');
    await until('it waits', async () => (await first.client.getStatus(id, { history: true })).history!.length === 3);
    first.kill();
    await house().bury(first);
    const second = await boot({ workflows });
    await second.client.signal(go, null, { workflowId: id });
    const output = await second.client.result(id, { timeout: '120s' });
    expect(answered).toEqual([output, output]);
    expect(await seen()).toEqual([event('one'), event('two'), event('three')]);
    expect((await ids()).slice(0, 2)).toEqual(output);
  });

  it('publishes once and in order wherever its process dies (P1, P2)', async () => {
    let commits = Number.POSITIVE_INFINITY;
    for (let dies = 1; dies <= commits; dies++) {
      for (const when of ['before', 'after'] as const) {
        outbox = await stepOutbox(house().backend);
        let count = 0;
        const at = (moment: 'before' | 'after') => (call: string) => {
          if (call !== 'store.commit') return;
          if (moment === 'before') count++;
          if (moment === when && count === dies) dead.kill();
        };
        const workflows = { order: body };
        // Memory rolls nothing back.
        const hooks = { before: at('before'), after: at('after'), wholeTransactions: house().kind === 'memory' };
        const dead: Process = await boot({ workflows, handlers, hooks });
        const id = `r-${dies}-${when}`;
        const reader = await boot({ engine: false });
        // The other one may die before it hears that its run has started.
        await reader.client.start('order', dies, { id });
        const isOver = async () => !dead.alive || (await reader.client.getStatus(id)).status === 'completed';
        await until('it has died, or ended', isOver);
        if (dead.alive) commits = Math.min(commits, count);
        if (dead.alive) dead.kill();
        await house().bury(dead);
        const heir = await boot({ workflows, handlers });
        await heir.client.result(id, { timeout: '120s' });
        expect({ dies, when, events: await seen() }).toEqual({ dies, when, events: expected(dies) });
        heir.kill();
        await house().bury(heir);
      }
    }
    expect(commits).toBeGreaterThan(2);
  });

  it('publishes nothing for a process that has lost the run meanwhile', async () => {
    const played: string[] = [];
    const workflows = {
      order: async (ctx: WorkflowContext) => {
        await ctx.step('a', () => played.push('a'));
        return ctx.publish(event('one', played.length));
      },
    };
    let taken = 0;
    const first: Process = await boot({
      workflows,
      // It beats no more before it is buried alive.
      nodeLeaseMs: 60_000,
      hooks: {
        before: async (call, [writes]) => {
          if (call !== 'store.commit' || !publishes(writes) || taken++ > 0) return;
          await house().bury(first);
          const second = await boot({ workflows });
          await second.client.result('r1', { timeout: '120s' });
        },
      },
    });
    await first.client.start('order', null, { id: 'r1' });
    const output = await first.client.result('r1', { timeout: '120s' });
    await until('the first has tried', () => taken > 0 && first.engine.residents.size === 0);
    expect(await ids()).toEqual(output);
    expect(await seen()).toHaveLength(1);
  });

  it('publishes once when the reply to its commit is lost, among others whose commit was not tried before', async () => {
    let lost = 0;
    const process = await boot({
      workflows: { order: body },
      handlers,
      hooks: {
        after: (call, [writes]) => {
          if (call !== 'store.commit' || !publishes(writes)) return;
          if (++lost % 2 === 1) throw new DatabaseError('The connection was lost', true);
        },
      },
    });
    const handles = await Promise.all([1, 2, 3, 4, 5].map((n) => process.client.start('order', n, { id: `r${n}` })));
    await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
    expect(lost).toBeGreaterThan(1);
    expect((await seen()).map((one) => JSON.stringify(one)).sort()).toEqual(
      [1, 2, 3, 4, 5].flatMap((n) => expected(n).map((one) => JSON.stringify(one))).sort(),
    );
  });

  it('publishes once when a batch of several fails for good after its commit, and is written again in halves', async () => {
    let failed = 0;
    const process = await boot({
      // Played once all are there: the runs of one claim are written together.
      engine: false,
      role: 'engine',
      workflows: {
        order: async (ctx, n: number) => {
          await ctx.publish(event('one', n));
          return ctx.step('a', () => n);
        },
      },
      hooks: {
        after: (call, [writes]) => {
          if (call !== 'store.commit' || !publishes(writes)) return;
          if (new Set((writes as RunWrite[]).map(({ runId }) => runId)).size > 1 && failed++ === 0)
            throw new DatabaseError('Refused', false);
        },
      },
    });
    const runs = Array.from({ length: 20 }, (_, n) => n);
    const handles = await Promise.all(runs.map((n) => process.client.start('order', n)));
    await process.start();
    await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
    expect(failed).toBeGreaterThan(0);
    expect((await seen()).map(({ data }) => data).sort((a, b) => Number(a) - Number(b))).toEqual(runs);
  });

  it('refuses a bad event before anything is written: the code may catch it, or the run is blocked', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const bad: [string, object][] = [
      ['no channel', { name: 'e' }],
      ['long id', { ...event('e'), mutationId: 'n'.repeat(192) }],
      ['circular', event('e', circular)],
      ['too large', event('e', 'x'.repeat((1 << 20) + 1))],
    ];
    const process = await boot({
      workflows: {
        order: async (ctx) => {
          const errors = [];
          for (const [name, one] of bad) {
            const whole = async () => ctx.publish(name, [event('good'), one as never]);
            errors.push(await whole().catch(caught));
          }
          const big = event('e', 'x'.repeat(900_000));
          errors.push(await (async () => ctx.publish([big, big, big, big, big]))().catch(caught));
          return [errors, await ctx.publish(event('after'))];
        },
        fails: (ctx) => ctx.publish('bad', { name: 'e' } as never),
      },
    });
    const [errors] = await process.client.startAndWait<[ReturnType<typeof caught>[], string[]]>('order', null, {
      id: 'r1',
    });
    expect(errors.map(({ code }) => code)).toEqual(Array(5).fill('INVALID_ARGUMENT'));
    expect(errors[0]!.message).toContain('event.channel');
    expect(await seen()).toEqual([event('after')]);
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history).toMatchObject([{ seq: 0, kind: 'marker', name: 'publish' }]);
    const { id } = await process.client.start('fails');
    await until('it is blocked', async () => (await process.client.getStatus(id)).reason === 'programming_error');
  });

  it('blocks where there is no outbox, and goes on where there is one', async () => {
    const workflows = {
      order: async (ctx: WorkflowContext) => {
        await ctx.step('a', () => 1, { compensate: () => undefined });
        return ctx.publish(event('one'));
      },
    };
    const without = await house().boot({ workflows });
    const { id } = await without.client.start('order');
    // Seen once: blocked runs are tried again.
    const status = await until('it is blocked', async () => {
      const seen = await without.client.getStatus(id);
      return seen.reason !== null && seen;
    });
    expect(status).toMatchObject({ status: 'suspended', reason: 'programming_error' });
    expect(status.reasonDetail).toMatch(/^ConfigurationError: ctx\.publish needs an outbox.*outbox: \{\}/);
    await without.stop();
    without.kill();
    const having = await boot({ workflows });
    await having.client.result(id, { timeout: '120s' });
    expect(await seen()).toEqual([event('one')]);
    // What is recorded needs none.
    const again = await house().boot({ workflows });
    expect(await again.client.startAndWait('order', null, { id, timeout: '120s' })).toEqual(await ids());
  });

  it('goes with what ends a life: the next begins with it published, and what is undone stays published', async () => {
    const undone: string[] = [];
    const process = await boot({
      workflows: {
        order: async (ctx, n: number) => {
          await ctx.publish(event('life', n));
          return n < 3 ? ctx.continueAsNew(n + 1) : n;
        },
        saga: async (ctx) => {
          await ctx.step('a', () => 1, { compensate: () => void undone.push('a') });
          await ctx.publish(event('done'));
          ctx.fail('no');
        },
      },
    });
    expect(await process.client.startAndWait('order', 1, { timeout: '120s' })).toBe(3);
    await expect(process.client.startAndWait('saga', null, { timeout: '120s' })).rejects.toThrow('no');
    expect(undone).toEqual(['a']);
    expect(await seen()).toEqual([event('life', 1), event('life', 2), event('life', 3), event('done')]);
  });

  it('stands still for code that asks for something else there', async () => {
    const workflows = (run: (ctx: WorkflowContext) => Promise<unknown>) => ({
      order: async (ctx: WorkflowContext) => {
        await run(ctx);
        await ctx.waitForSignal('go', go);
      },
    });
    const first = await boot({ workflows: workflows((ctx) => ctx.publish('paid', event('one'))) });
    const { id } = await first.client.start('order');
    await until('it waits', async () => (await first.client.getStatus(id, { history: true })).history!.length === 2);
    first.kill();
    await house().bury(first);
    const second = await boot({ workflows: workflows((ctx) => ctx.publish('sent', event('one'))) });
    const blocked = await until('it is blocked', async () => {
      const status = await second.client.getStatus(id);
      return status.reason !== null && status;
    });
    expect(blocked).toMatchObject({
      reason: 'non_determinism',
      mismatch: { seq: 0, recorded: 'marker "paid"', asked: 'marker "sent"' },
    });
    expect(await seen()).toEqual([event('one')]);
  });

  it('writes the events of many runs together, and those of one run in its order', async () => {
    const process = await boot({
      // Played once all are there: how many go together does not depend on how fast they come.
      engine: false,
      role: 'engine',
      workflows: {
        order: async (ctx, n: number) => {
          for (let i = 0; i < 5; i++) await ctx.publish(event('e', [n, i], `channel-${n % 3}`));
          await ctx.step('between', () => n);
          await Promise.all([5, 6, 7].map((i) => ctx.publish(event('e', [n, i], `channel-${n % 3}`))));
        },
      },
    });
    const runs = Array.from({ length: 100 }, (_, n) => n);
    const handles = await Promise.all(runs.map((n) => process.client.start('order', n)));
    await process.start();
    await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
    const events = (await seen()).map(({ data }) => data as [number, number]);
    expect(events).toHaveLength(800);
    for (const run of runs)
      expect(events.filter(([n]) => n === run).map(([, i]) => i)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(outbox.writes).toBeLessThan(100);
  });
});
