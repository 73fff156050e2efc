import type { WorkflowContext } from '../../../lib/engine/context.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

describeHouses('runs that begin after others', (house) => {
  const workflows = {
    order: async (ctx: WorkflowContext, how: string) => {
      const said = await ctx.remote<string>('say', how);
      return said === 'no' ? ctx.fail('no') : said;
    },
    report: async (ctx: WorkflowContext) => ctx.step('report', () => 'reported'),
  };

  it('begins when all have completed, some of them before it was started', async () => {
    const { client, serve } = await house().boot({ workflows });
    await client.startAndWait('report', null, { id: 'early' });
    await client.start('order', 'yes', { id: 'a' });
    await client.start('order', 'yes', { id: 'b' });
    const { id } = await client.start('report', null, { id: 'w', after: ['early', 'a', 'b'] });
    await until('it waits', async () => (await client.getStatus(id)).reason === 'waiting_for_runs');
    serve({ say: (how: string) => how });
    expect(await client.result(id)).toBe('reported');
    const [a, w] = [await client.getStatus('a'), await client.getStatus(id)];
    expect(a.status).toBe('completed');
    expect(w.startedAt!.getTime()).toBeGreaterThanOrEqual(a.finishedAt!.getTime());
  });

  it('fails without having begun when one of them does not complete', async () => {
    const played: string[] = [];
    const report = (ctx: WorkflowContext) => {
      played.push(ctx.workflowId);
      return workflows.report(ctx);
    };
    const handlers = { say: (how: string) => how };
    const { client, storage } = await house().boot({ workflows: { ...workflows, report }, handlers });
    const { id: chained } = await client
      .start('order', 'no', { id: 'a', delay: 100 })
      .then(() => client.start('report', null, { id: 'w', after: ['a'] }))
      .then(() => client.start('report', null, { id: 'x', after: ['w'] }));
    await expect(client.result('w')).rejects.toMatchObject({ code: 'DEPENDENCY_FAILED' });
    await expect(client.result(chained)).rejects.toMatchObject({ code: 'DEPENDENCY_FAILED' });
    expect(await storage.catalog.steps('w')).toEqual([]);
    expect(played).toEqual([]);
  });

  it('times out while it waits', async () => {
    const { client } = await house().boot({ workflows });
    await client.start('order', 'yes', { id: 'a' });
    const { id } = await client.start('report', null, { after: ['a'], timeout: 200 });
    await expect(client.result(id)).rejects.toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
  });

  it('says at the door what cannot be waited for, before anything is written', async () => {
    const { client, storage } = await house().boot({ workflows, engine: false });
    await client.start('report', null, { id: 'a' });
    const start = (after: unknown) => client.start('report', null, { id: 'w', after: after as string[] });
    await expect(start(['a', 'nobody'])).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    for (const wrong of ['a', ['a', 'a'], [1], [''], Array.from({ length: 1_001 }, (_, n) => `r${n}`)])
      await expect(start(wrong)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await storage.catalog.find(['w'])).toEqual([]);
  });
});
