import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { gate } from '../../support/gate.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** Longer than any residency: a run that waits for nothing else is parked at once. */
const LIMIT = '1h';
const quick = { quick: () => 'answer' };
const child = (ctx: WorkflowContext) => ctx.sleep('long', '10d');
const answerOrLimit = (ctx: WorkflowContext) => Promise.race([ctx.remote('quick'), ctx.sleep('limit', LIMIT)]);

/** Its owner dies so often that from now on it is played alone, and parked wherever it waits. */
async function suspect({ storage }: Process, runId: string): Promise<void> {
  const { roster, store } = storage;
  await roster.beat({ id: 'dying', namespace: '', roles: '' }, 60_000);
  const mine = { nodeId: 'dying', namespace: '', workflows: [{ name: 'order', version: 1 }], limit: 1 };
  for (let crash = 1; crash <= 3; crash++) {
    const [claimed] = await store.claim({ ...mine, which: 'due' });
    await store.release([{ runId, epoch: claimed!.epoch, owner: 'dying' }], true);
  }
}

describeHouses('a run whose code has returned', (house) => {
  it('has ended, though it did something in an earlier life that could be undone, and still sleeps', async () => {
    const { client } = await house().boot({
      handlers: quick,
      workflows: {
        order: async (ctx, isAgain: boolean) => {
          if (isAgain) return answerOrLimit(ctx);
          await ctx.step('one', () => 1, { compensate: () => undefined });
          return ctx.continueAsNew(true);
        },
      },
    });
    expect(await client.startAndWait('order', false, { timeout: '120s' })).toBe('answer');
  });

  it('has ended, though its process stops while its children are closed', async () => {
    const [closing, go] = [gate(), gate()];
    const process = await house().boot({
      hooks: {
        before: async (call) => {
          if (call !== 'control.openChildren') return;
          closing.open();
          await go.opened;
        },
      },
      handlers: quick,
      workflows: {
        child,
        order: async (ctx) => {
          await ctx.startChild('child', null, { id: 'c1' });
          return answerOrLimit(ctx);
        },
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    await closing.opened;
    const stopped = process.engine.stop();
    await until('it lets go of its runs', () => process.engine.residents.room === 0);
    go.open();
    await stopped;
    expect((await process.client.getStatus('r1')).status).toBe('completed');
    expect((await process.client.getStatus('c1')).status).toBe('cancelled');
  });

  it('has ended, though processes died of it before', async () => {
    const order = async (ctx: WorkflowContext) => {
      await ctx.startChild('child', null, { parentClose: 'abandon' });
      return 'done';
    };
    const process = await house().boot({ workflows: { child, order }, engine: false, role: 'engine' });
    const { id } = await process.client.start('order');
    await suspect(process, id);
    await process.start();
    expect(await process.client.result(id, { timeout: '120s' })).toBe('done');
  });

  it('begins nothing more while its children are closed', async () => {
    const [closing, go] = [gate(), gate()];
    const process = await house().boot({
      hooks: {
        before: async (call) => {
          if (call !== 'control.openChildren') return;
          closing.open();
          await go.opened;
        },
      },
      handlers: { ...quick, slow: () => closing.opened },
      workflows: {
        child,
        order: async (ctx) => {
          await ctx.startChild('child', null, { id: 'c1' });
          void ctx.remote('slow').then(() => ctx.startChild('child', null, { id: 'c2' }));
          return ctx.remote('quick');
        },
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    await closing.opened;
    await until('the slow one has answered', async () => {
      const { answers } = await process.storage.dispatcher.peek(10);
      const step = await process.storage.catalog.step('r1', 1);
      return step?.settled || answers.some(({ stepId }) => stepId === 'r1:1');
    });
    go.open();
    expect(await process.client.result('r1')).toBe('answer');
    expect((await process.client.getStatus('c1')).status).toBe('cancelled');
    expect(await process.storage.catalog.find(['c2'])).toEqual([]);
    await until('the late answer is out of the way', async () => {
      process.engine.collector.lookAgain();
      await process.engine.collector.tick();
      return (await process.storage.dispatcher.peek(10)).answers.length === 0;
    });
  });

  it('commits no transaction that was under way when it ended', async () => {
    const [entered, closing, work, go] = [gate(), gate(), gate(), gate()];
    const recorded: string[] = [];
    const process = await house().boot({
      hooks: {
        before: async (call, [writes, , tx]) => {
          if (call === 'store.commit' && tx)
            recorded.push(...(writes as { runId: string }[]).map(({ runId }) => runId));
          if (call !== 'control.openChildren') return;
          closing.open();
          await go.opened;
        },
      },
      workflows: {
        child,
        order: async (ctx) => {
          await ctx.startChild('child', null, { id: 'c1' });
          void ctx.transaction('late', async () => {
            entered.open();
            await work.opened;
          });
          return ctx.step('one', () => entered.opened.then(() => 'done'));
        },
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    await closing.opened;
    work.open();
    // Its work is done, and nothing else stands between that and its record.
    for (let n = 0; n < 10; n++) await nextTurn();
    expect(recorded).toEqual([]);
    go.open();
    expect(await process.client.result('r1')).toBe('done');
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history!.filter(({ name }) => name === 'late')).toEqual([]);
  });
});
