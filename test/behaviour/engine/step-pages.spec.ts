import type { WorkflowStepPage } from '../../../lib/engine/views.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const GO = new WorkflowSignal<string>('go');

describeHouses('the steps of a run, page by page', (house) => {
  const seqs = ({ steps }: WorkflowStepPage) => steps.map(({ seq }) => seq);
  const waits = ({ client }: Process, id: string) =>
    until('it waits', async () => (await client.history.page(id)).steps.at(-1)?.kind === 'signal');

  it('begin with the first position, and go on after a position or with a mark', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          for (let n = 0; n < 5; n++) await ctx.step(`step-${n}`, ({ log }) => log.info('done', { n }));
        },
      },
    });
    await process.client.startAndWait('order', null, { id: 'a' });
    const { history } = process.client;
    const first = await history.page('a', { limit: 2 });
    expect([seqs(first), first.cursor, first.workflow]).toEqual([[0, 1], 1, 'order']);
    expect(first.steps[0]).toMatchObject({
      name: 'step-0',
      status: 'completed',
      logLines: 1,
      attempts: [{ attempt: 1 }],
    });
    expect(first.steps[0]).not.toHaveProperty('output');
    const second = await history.page('a', { after: 1, limit: 3 });
    expect([seqs(second), second.cursor]).toEqual([[2, 3, 4], undefined]);
    const third = await history.page('a', { mark: first.mark, limit: 2 });
    expect([seqs(third), third.cursor]).toEqual([[2, 3], 3]);
    const last = await history.page('a', { mark: third.mark, limit: 2 });
    // With the last outcome that was known when the first page was read.
    expect([seqs(last), last.cursor]).toEqual([[4], undefined]);
    await expect(history.page('a', { mark: 'x' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(history.page('a', { after: 2 ** 40 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(history.page('nobody')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });

  it('tell what has changed since, and that the run has begun anew', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('first', () => 1);
          const sent = await ctx.waitForSignal('wait', GO);
          return ctx.step('last', () => sent);
        },
      },
    });
    const { client } = process;
    await client.start('order', null, { id: 'a' });
    await waits(process, 'a');
    const before = await client.history.page('a');
    expect(before.steps.map(({ seq, status }) => [seq, status])).toEqual([
      [0, 'completed'],
      [1, 'pending'],
    ]);
    await client.signal(GO, 'yes', { workflowId: 'a' });
    await client.result('a');
    const changed = await client.history.page('a', { mark: before.mark });
    expect(changed.steps.map(({ seq, status }) => [seq, status])).toEqual([
      [2, 'completed'],
      [0, 'completed'],
      [1, 'completed'],
    ]);
    expect(seqs(await client.history.page('a', { mark: changed.mark }))).toEqual([2]);
    await client.restart('a', {});
    await waits(process, 'a');
    for (const gone of [{ mark: changed.mark }, { after: 0 }])
      expect(await client.history.page('a', gone)).toMatchObject({ anew: true, steps: [{ seq: 3 }, { seq: 4 }] });
  });

  it('tell of an outcome that took the place of another one', async () => {
    let broken = true;
    const process = await house().boot({
      workflows: {
        order: (ctx) => ctx.step('pay', () => (broken ? Promise.reject(new Error('no')) : 'paid'), { retry: 1 }),
      },
    });
    await expect(process.client.startAndWait('order', null, { id: 'a' })).rejects.toThrow('no');
    const { mark } = await process.client.history.page('a');
    broken = false;
    await process.client.retry('a');
    await process.client.result('a');
    expect((await process.client.history.page('a', { mark })).steps).toMatchObject([{ seq: 0, status: 'completed' }]);
  });
});
