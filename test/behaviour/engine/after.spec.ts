import type { WorkflowContext } from '../../../lib/engine/context.js';
import { type Codec, jsonCodec } from '../../../lib/core/codec.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
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

  it('gets their outputs, in the order given, once: also when they are deleted later', async () => {
    const asked: unknown[] = [];
    const sum = async (ctx: WorkflowContext) => {
      const found = await ctx.dependencies('order', 'report');
      asked.push(found);
      await ctx.waitForSignal('on', new WorkflowSignal('on'));
      return found.map(({ id, output }) => [id, output]);
    };
    const handlers = { say: (how: string) => how };
    const { client, storage } = await house().boot({ workflows: { ...workflows, sum }, handlers });
    await client.startAndWait('report', null, { id: 'a' });
    await client.startAndWait('order', { n: 1, at: new Date(7) }, { id: 'b' });
    const { id } = await client.start('sum', null, { id: 'w', after: ['b', 'a'] });
    const found = [
      { id: 'b', workflow: 'order', output: { n: 1, at: new Date(7) } },
      { id: 'a', workflow: 'report', output: 'reported' },
    ];
    await until('it has asked', () => asked.length === 1);
    expect(asked).toEqual([found]);
    expect(await client.delete('a')).toBe(true);
    expect(await storage.catalog.targets(id)).toEqual(['b', 'a']);
    await client.signal('on', null, { workflowId: id });
    expect(await client.result(id)).toEqual([
      ['b', { n: 1, at: new Date(7) }],
      ['a', 'reported'],
    ]);
    const { history } = await client.getStatus(id, { history: true });
    expect(history?.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['step dependencies', 'signal on']);
  });

  it('has none if it was started without, and a fork has those of its source', async () => {
    const count = async (ctx: WorkflowContext) => {
      await ctx.step('before', () => 1);
      return (await ctx.dependencies()).map((one) => one.id);
    };
    const { client } = await house().boot({ workflows: { ...workflows, count } });
    expect(await client.startAndWait('count', null)).toEqual([]);
    await client.startAndWait('report', null, { id: 'a' });
    await client.startAndWait('count', null, { id: 'w', after: ['a'] });
    const fork = await client.fork('w', { from: 1, id: 'again' });
    expect(await client.result(fork.id)).toEqual(['a']);
    await client.restart('w');
    expect(await client.result('w')).toEqual(['a']);
  });

  it('fails at the question when one of them is no longer there', async () => {
    const late = async (ctx: WorkflowContext) => {
      await ctx.waitForSignal('on', new WorkflowSignal('on'));
      return ctx.dependencies().catch((error: { code: string }) => error.code);
    };
    const { client } = await house().boot({ workflows: { ...workflows, late } });
    await client.startAndWait('report', null, { id: 'a' });
    await client.start('late', null, { id: 'w', after: ['a'] });
    await until('it waits', async () => (await client.getStatus('w', { history: true })).history?.length === 1);
    expect(await client.delete('a')).toBe(true);
    await client.signal('on', null, { workflowId: 'w' });
    expect(await client.result('w')).toBe('DEPENDENCY_GONE');
  });

  it('gets the output of one of which only a step was erased, and fails when all of it was', async () => {
    const outputs = async (ctx: WorkflowContext) =>
      ctx.dependencies().then(
        (found) => found.map(({ output }) => output),
        (error: { code: string }) => error.code,
      );
    const parent = async (ctx: WorkflowContext) => ctx.executeChild('report', null, { id: 'child' });
    const { client } = await house().boot({ workflows: { ...workflows, outputs, parent } });
    await client.startAndWait('parent', null, { id: 'parent' });
    const erase = (id: string) => client.erase({ id }, { actor: 'ada', reason: 'asked' });
    expect((await erase('child')).complete).toBe(true);
    expect((await client.getStatus('parent')).erased).toBe(true);
    expect(await client.startAndWait('outputs', null, { after: ['parent'] })).toEqual(['reported']);
    expect((await erase('parent')).complete).toBe(true);
    expect(await client.startAndWait('outputs', null, { after: ['parent'] })).toBe('DEPENDENCY_GONE');
  });

  it('reads each output as what that run has written', async () => {
    // As if there were a key for each run.
    const codec: Codec = {
      encode: (value, context) => `${context?.runId} ${jsonCodec.encode(value)}`,
      decode: (text, context) => {
        const [runId = '', ...rest] = text.split(' ');
        if (runId !== context?.runId) throw new Error(`written by ${runId}, read for ${context?.runId}`);
        return jsonCodec.decode(rest.join(' '));
      },
    };
    const outputs = async (ctx: WorkflowContext) => (await ctx.dependencies()).map(({ output }) => output);
    const { client } = await house().boot({ workflows: { ...workflows, outputs }, codec });
    await client.startAndWait('report', null, { id: 'a' });
    expect(await client.startAndWait('outputs', null, { id: 'w', after: ['a'] })).toEqual(['reported']);
  });

  it('is blocked when its code names other workflows than it was started after', async () => {
    const wrong = async (ctx: WorkflowContext) => ctx.dependencies('order');
    const { client } = await house().boot({ workflows: { ...workflows, wrong } });
    await client.startAndWait('report', null, { id: 'a' });
    await client.start('wrong', null, { id: 'w', after: ['a'] });
    await until('it is blocked', async () => (await client.getStatus('w')).reason === 'programming_error');
    expect((await client.getStatus('w')).reasonDetail).toMatch(
      /ctx\.dependencies is "order": pass those of the runs in `after`: report/,
    );
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
