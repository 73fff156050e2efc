import type { WorkflowContext } from '../../../lib/engine/context.js';
import { stepIdOf } from '../../../lib/core/protocol.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const code = (refused: Promise<unknown>) => refused.catch((error: { code: string }) => error.code);

const asks = (process: Process, id: string, seq = 0) =>
  until(`run ${id} asks at ${seq}`, async () => {
    const { history } = await process.client.getStatus(id, { history: true });
    return history![seq] && history![seq].status === 'pending';
  });

describeHouses('a remote step answered from outside', (house) => {
  const order = (ctx: WorkflowContext) => ctx.remote('approval', { for: 'it' });

  it('completes without any worker, whether its run is in memory, parked, or played elsewhere', async () => {
    const process = await house().boot({ workflows: { order }, residencyMs: 40 });
    const { client } = await house().boot({ engine: false, role: 'client' });
    const resident = await client.start('order');
    await asks(process, resident.id);
    await client.completeStep(stepIdOf(resident.id, 0), { by: 'Ada', at: new Date(3) });
    expect(await resident.result()).toEqual({ by: 'Ada', at: new Date(3) });
    const parked = await client.start('order');
    await until('it is parked', async () => (await parked.status()).status === 'suspended');
    await client.completeStep(stepIdOf(parked.id, 0));
    expect(await parked.result()).toBe(null);
  });

  it('is answered once, and says so', async () => {
    const process = await house().boot({ workflows: { order } });
    const { client } = process;
    const { id } = await client.start('order');
    await asks(process, id);
    const stepId = stepIdOf(id, 0);
    const both = await Promise.all([code(client.completeStep(stepId, 1)), code(client.completeStep(stepId, 2))]);
    expect(both.sort()).toEqual(['STEP_ALREADY_SETTLED', undefined]);
    await client.result(id);
    expect(await code(client.completeStep(stepId, 3))).toBe('STEP_ALREADY_SETTLED');
    expect(await code(client.failStep(stepId, new Error('no')))).toBe('STEP_ALREADY_SETTLED');
    expect(await code(client.completeStep(`${id}:1`, 3))).toBe('STEP_NOT_FOUND');
    expect(await code(client.completeStep('none:0', 3))).toBe('STEP_NOT_FOUND');
    expect(await code(client.completeStep('none', 3))).toBe('INVALID_ARGUMENT');
    expect(await code(client.completeStep(stepId, () => 3))).toBe('NOT_SERIALIZABLE');
    expect(await code(client.failStep(stepId, 'no' as never))).toBe('INVALID_ARGUMENT');
  });

  it('fails as it is told: tried again by its policy, or not', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) =>
          ctx
            .remote('approval', null, { retry: { attempts: 2, backoff: { delay: 1 } } })
            .catch((error: { code: string; message: string }) => `${error.code}: ${error.message}`),
      },
    });
    const { client } = process;
    const [final, again] = await Promise.all([client.start('order'), client.start('order')]);
    await asks(process, final.id);
    await asks(process, again.id);
    await client.failStep(stepIdOf(final.id, 0), { message: 'never', code: 'NO', retryable: false });
    expect(await final.result()).toBe('NO: never');
    await client.failStep(stepIdOf(again.id, 0), new Error('not yet'));
    await until('it can be completed', async () => {
      const refused = await code(client.completeStep(stepIdOf(again.id, 0), 'at last'));
      return refused === undefined;
    });
    expect(await again.result()).toBe('at last');
  });

  it('takes the lease from the worker that has its task', async () => {
    const go = gate();
    let [began, returned] = [0, 0];
    const process = await house().boot({
      workflows: { order },
      handlers: {
        approval: async () => {
          began++;
          await go.opened;
          returned++;
          return 'worker';
        },
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    await until('a worker has it', () => began > 0);
    await client.completeStep(stepIdOf(id, 0), 'outside');
    expect(await client.result(id)).toBe('outside');
    go.open();
    await until('the worker is through', () => returned > 0);
    expect((await client.getStatus(id, { history: true })).history![0]).toMatchObject({ output: 'outside' });
  });
});

describeSqlHouses('a remote step answered in the app’s transaction', (house) => {
  it('is answered with its commit, and not when that is rolled back', async () => {
    const process = await house().boot({ workflows: { order: async (ctx) => ctx.remote('approval') } });
    const { client } = process;
    const { orm } = house().backend!;
    const { id } = await client.start('order');
    await asks(process, id);
    const inside = (output: string, fails: boolean) =>
      inAppTransaction(orm, process.storage.handle, async ({ handle: transaction }) => {
        await client.completeStep(stepIdOf(id, 0), output, { transaction });
        if (fails) throw new Error('no');
      });
    await expect(inside('rolled back', true)).rejects.toThrow('no');
    await inside('committed', false);
    expect(await client.result(id)).toBe('committed');
  });

  it('is told of once, however many are answered in it', async () => {
    const process = await house().boot({
      workflows: { order: (ctx) => Promise.all([0, 1, 2].map(() => ctx.remote('approval'))) },
    });
    const { storage, client } = process;
    const { id } = await client.start('order');
    await asks(process, id, 2);
    const told: number[] = [];
    // Whoever has just begun to listen is told to look, without answers.
    const stop = storage.dispatcher.onAnswers((answers) => answers && told.push(answers.length));
    await inAppTransaction(house().backend!.orm, storage.handle, async ({ handle: transaction }) => {
      for (const seq of [0, 1, 2]) await client.completeStep(stepIdOf(id, seq), seq, { transaction });
      expect(told).toEqual([]);
    });
    expect(told).toEqual([3]);
    stop();
    expect(await client.result(id)).toEqual([0, 1, 2]);
  });
});
