import { OperatorActs } from '../../../lib/acts/acts.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { gate } from '../../support/gate.js';
import { describeHouses, describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const ada = { actor: 'ada', reason: 'a test' };
const told = new WorkflowSignal<string>('told');
const LATER = { retry: { attempts: 5, backoff: { delay: '1h' } } } as const;

const code = (refused: Promise<unknown>) => refused.catch((error: { code: string }) => error.code);

const is = (process: Process, id: string, status: string) =>
  until(`run ${id} is ${status}`, async () => (await process.client.getStatus(id)).status === status);

const recorded = (process: Process, id: string, seq: number) =>
  until(`run ${id} has a step at ${seq}`, () => process.storage.catalog.step(id, seq));

const actsOf = async ({ storage }: Process) => (await new OperatorActs(storage.acts, '').list()).acts;

describeHouses('a step that an operator resolves', (house) => {
  it('has his outcome, whether it waits for a worker, for a time, for a signal or for its next attempt', async () => {
    const process = await house().boot({
      workflows: {
        waits: async (ctx) => {
          const remote = await ctx.remote('nobody', 1);
          const slept: unknown = await ctx.sleep('nap', '1h');
          const heard = await ctx.waitForSignal('wait', told);
          const tried = await ctx.step('fails', () => Promise.reject(new Error('not yet')), LATER).catch(String);
          return [remote, slept, heard, tried, await ctx.waitForSignal('again', told)];
        },
      },
    });
    const { client } = process;
    const { id } = await client.start('waits');
    await recorded(process, id, 0);
    await client.resolveStep(id, 0, { output: { at: new Date(3) } }, ada);
    await recorded(process, id, 1);
    await client.resolveStep(id, 1, { skip: true }, ada);
    await recorded(process, id, 2);
    await client.resolveStep(id, 2, { skip: true }, ada);
    await recorded(process, id, 3);
    await client.resolveStep(id, 3, { error: { message: 'no', code: 'NO' } }, ada);
    await recorded(process, id, 4);
    // The first wait is over, so the signal is for the second one.
    await client.signal(told, 'hello', { workflowId: id });
    const expected = [{ at: new Date(3) }, undefined, undefined, expect.stringContaining('no'), 'hello'];
    expect(await client.result(id)).toEqual(expected);
    const acts = await actsOf(process);
    expect(acts.map(({ action, target, outcome }) => [action, target, outcome])).toEqual([
      ['resolve step', id, 'failed'],
      ...Array<unknown>(3).fill(['resolve step', id, 'completed']),
    ]);
    expect(acts[0]?.details).toMatchObject({ seq: 3, step: 'fails', how: 'error', before: { attempt: 1 } });
  });

  it('lets a blocked run go on whose code cannot handle its failure', async () => {
    const process = await house().boot({
      workflows: {
        wrong: async (ctx) => {
          const fails = { retry: { attempts: 1 } };
          const order = await ctx
            .step('order', (): Promise<{ name: string } | undefined> => Promise.reject(new Error('no')), fails)
            .catch(() => undefined);
          return (order as { name: string }).name;
        },
      },
    });
    const { client } = process;
    const { id } = await client.start('wrong');
    await until('it is blocked', async () => (await client.getStatus(id)).reason === 'programming_error');
    expect(await code(client.resolveStep(id, 1, { skip: true }, ada))).toBe('STEP_NOT_FOUND');
    expect(await code(client.resolveStep(id, 0, { skip: true }, ada))).toBe('EDIT_REFUSED');
    await client.resolveStep(id, 0, { output: { name: 'right' } }, ada);
    expect(await client.result(id)).toBe('right');
  });

  it('is refused where the code would part from the history', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const paid = await ctx
            .step('pay', () => Promise.reject(new Error('declined')), { retry: { attempts: 1 } })
            .then(
              () => true,
              () => false,
            );
          if (!paid) await ctx.step('tell', () => 1);
          await ctx.sleep('nap', '1h');
          return paid;
        },
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    await recorded(process, id, 2);
    const refused = client.resolveStep(id, 0, { output: 1 }, ada);
    await expect(refused).rejects.toMatchObject({
      code: 'EDIT_REFUSED',
      detail: expect.stringContaining('tell') as string,
    });
    await client.resolveStep(id, 0, { error: new Error('of another kind') }, ada);
    await client.resolveStep(id, 2, { skip: true }, ada);
    expect(await client.result(id)).toBe(false);
    const { history } = await client.getStatus(id, { history: true });
    expect(history![0]?.error?.message).toBe('of another kind');
  });

  it('is refused for what does not wait, and for callers who say nothing', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          ctx.now();
          await ctx.step('done', () => 1);
          await ctx.sleep('nap', '1h');
        },
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    await is(process, id, 'suspended');
    const resolve = (seq: number, resolution: object = { skip: true }, by: object = ada, run = id) =>
      code(client.resolveStep(run, seq, resolution as never, by as never));
    expect(await resolve(0)).toBe('STEP_NOT_EDITABLE');
    expect(await resolve(1)).toBe('STEP_NOT_EDITABLE');
    expect(await resolve(9)).toBe('STEP_NOT_FOUND');
    expect(await resolve(2, { skip: true }, ada, 'unknown')).toBe('WORKFLOW_NOT_FOUND');
    for (const wrong of [{}, { skip: false }, { output: 1, skip: true }, { error: 'no' }])
      expect(await resolve(2, wrong)).toBe('INVALID_ARGUMENT');
    for (const nobody of [{}, { actor: 'ada' }, { reason: 'why' }])
      expect(await resolve(2, { skip: true }, nobody)).toBe('INVALID_ARGUMENT');
    expect(await resolve(2, { output: () => 1 })).toBe('NOT_SERIALIZABLE');
    await client.cancel(id);
    expect(await resolve(2)).toBe('STEP_NOT_EDITABLE');
    expect(await actsOf(process)).toEqual([]);
  });

  it('is resolved by one of two operators', async () => {
    const process = await house().boot({ workflows: { order: (ctx) => ctx.remote('nobody', 1) } });
    const other = await house().boot({ workflows: { order: (ctx) => ctx.remote('nobody', 1) } });
    const { id } = await process.client.start('order');
    await recorded(process, id, 0);
    const both = await Promise.all([
      code(process.client.resolveStep(id, 0, { output: 1 }, ada)),
      code(other.client.resolveStep(id, 0, { output: 2 }, ada)),
    ]);
    expect(both.sort()).toEqual(['STEP_NOT_EDITABLE', undefined]);
    expect([1, 2]).toContain(await process.client.result(id));
    expect(await actsOf(process)).toHaveLength(1);
  });

  it('takes its run from the process that works on it', async () => {
    const [go, begun] = [gate(), gate()];
    let aborted = false;
    const workflows = {
      order: async (ctx: WorkflowContext) => {
        const first = await ctx.step('slow', async ({ signal }) => {
          begun.open();
          await go.opened;
          aborted = signal.aborted;
          return 'owner';
        });
        return first;
      },
    };
    const process = await house().boot({ workflows });
    const { client } = process;
    const { id } = await client.start('order');
    await begun.opened;
    await client.resolveStep(id, 0, { output: 'operator' }, ada);
    expect(await client.result(id)).toBe('operator');
    go.open();
    await until('the owner has returned', () => aborted);
    expect(await client.result(id)).toBe('operator');
  });
});

describeHouses('a step of a failed run that an operator resolves', (house) => {
  const ONCE = { retry: { attempts: 1 } } as const;
  const declined = () => Promise.reject(new Error('declined'));

  it('lets its run go on where it failed, with what is open beside it', async () => {
    const packed: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const charge = ctx.step('charge', declined, ONCE);
          const all = await Promise.all([charge, ctx.remote('pack', 1), ctx.waitForSignal('wait', told)]);
          return [...all, ctx.now() instanceof Date];
        },
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    await is(process, id, 'failed');
    process.serve({ pack: (_, { idempotencyKey }) => (packed.push(idempotencyKey), 'packed') });
    await client.resolveStep(id, 0, { output: 'by phone' }, ada);
    await client.signal(told, 'hello', { workflowId: id });
    expect(await client.result(id)).toEqual(['by phone', 'packed', 'hello', true]);
    expect(packed).toEqual([`${id}:1`]);
    const [act, ...others] = await actsOf(process);
    expect([act?.action, act?.outcome, others]).toEqual(['resolve step', 'completed', []]);
    expect(act?.details).toMatchObject({ seq: 0, retried: true, before: { status: 'failed', attempt: 1 } });
  });

  it('may be one that was open when it failed, and gets other errors', async () => {
    let broken = true;
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          Promise.all([
            ctx.step('charge', () => (broken ? declined() : 'paid'), ONCE),
            ctx.remote('nobody', 1).catch((error: Error) => error.message),
          ]),
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    await is(process, id, 'failed');
    expect(await code(client.resolveStep(id, 7, { skip: true }, ada))).toBe('STEP_NOT_FOUND');
    broken = false;
    await client.resolveStep(id, 1, { error: { message: 'not today' } }, ada);
    expect(await client.result(id)).toEqual(['paid', 'not today']);
  });

  it('is refused as a retry is, and where the code would part from the history', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx, how: 'undone' | 'handled') => {
          if (how === 'undone') await ctx.step('reserve', () => 1, { compensate: () => undefined });
          const mailed = await ctx.step('mail', declined, ONCE).catch(() => 'not mailed');
          if (mailed === 'not mailed') await ctx.step('note', () => 1);
          await ctx.step('charge', declined, ONCE);
        },
      },
    });
    const { client } = process;
    const refused = async (how: string, seq: number) => {
      const { id } = await client.start('order', how);
      await is(process, id, 'failed');
      const before = await client.getStatus(id, { history: true });
      const why = await code(client.resolveStep(id, seq, { skip: true }, ada));
      expect(await client.getStatus(id, { history: true })).toEqual(before);
      return why;
    };
    expect(await refused('undone', 3)).toBe('WORKFLOW_NOT_RESUMABLE');
    expect(await refused('handled', 0)).toBe('EDIT_REFUSED');
    expect(await refused('handled', 1)).toBe('STEP_NOT_EDITABLE');
    expect(await actsOf(process)).toEqual([]);
  });
});

describeHouses('a run that works on a step', (house) => {
  it('keeps its owner until that has ended: neither an outcome nor an attempt of another step ends it', async () => {
    const [go, begun] = [gate(), gate()];
    const calls: string[] = [];
    const process = await house().boot({
      workflows: {
        order: async (ctx) =>
          Promise.all([
            ctx.step('slow', async () => {
              calls.push('slow');
              begun.open();
              await go.opened;
            }),
            ctx.step('fails', () => (calls.push('fails'), Promise.reject(new Error('not yet'))), LATER),
            ctx.remote('nobody', 1),
          ]),
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    await begun.opened;
    await until('it waits', async () => (await process.storage.catalog.step(id, 1))?.attempt === 1);
    await recorded(process, id, 2);
    const refused = client.resolveStep(id, 2, { skip: true }, ada);
    await expect(refused).rejects.toMatchObject({
      code: 'STEP_NOT_EDITABLE',
      message: expect.stringContaining('step 0 "slow"') as string,
    });
    expect(await code(client.runNow(id, 1, ada))).toBe('STEP_NOT_EDITABLE');
    go.open();
    await recorded(process, id, 0);
    await client.runNow(id, 1, ada);
    await until('it was tried again', () => calls.length === 3);
    await until('that has ended', async () => (await process.storage.catalog.step(id, 1))?.attempt === 2);
    await client.resolveStep(id, 2, { skip: true }, ada);
    await client.resolveStep(id, 1, { skip: true }, ada);
    await client.result(id);
    expect(calls).toEqual(['slow', 'fails', 'fails']);
    expect(await actsOf(process)).toHaveLength(3);
  });
});

describeHouses('a step that an operator lets run now', (house) => {
  it('makes its next attempt at once', async () => {
    let [local, remote] = [0, 0];
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const first = await ctx.step('local', () => (++local < 2 ? Promise.reject(new Error('no')) : 'local'), LATER);
          return [first, await ctx.remote('remote', null, LATER)];
        },
      },
      handlers: { remote: () => (++remote < 2 ? Promise.reject(new Error('no')) : 'remote') },
    });
    const { client } = process;
    const { id } = await client.start('order');
    const waits = async (seq: number) => {
      const step = await until('it waits', () => process.storage.catalog.step(id, seq));
      return step.wakeAt !== null && step.attempt === 1;
    };
    await until('the local step waits', () => waits(0));
    await client.runNow(id, 0, ada);
    await until('the remote step waits', () => waits(1));
    await client.runNow(id, 1, ada);
    expect(await client.result(id)).toEqual(['local', 'remote']);
    expect(await code(client.runNow(id, 1, ada))).toBe('STEP_NOT_EDITABLE');
  });

  it('is refused while its second attempt is under way', async () => {
    const [go, begun] = [gate(), gate()];
    let calls = 0;
    const SOON = { retry: { attempts: 5, backoff: { delay: 1 } } } as const;
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.step(
            'slow',
            async () => {
              if (++calls === 1) throw new Error('no');
              begun.open();
              await go.opened;
              return calls;
            },
            SOON,
          ),
      },
    });
    const { client } = process;
    const { id } = await client.start('order');
    await begun.opened;
    expect(await code(client.runNow(id, 0, ada))).toBe('STEP_NOT_EDITABLE');
    go.open();
    expect(await client.result(id)).toBe(2);
  });

  it('is refused for steps that wait for something else', async () => {
    const process = await house().boot({ workflows: { order: (ctx) => ctx.sleep('nap', '1h') } });
    const { client } = process;
    const { id } = await client.start('order');
    await is(process, id, 'suspended');
    expect(await code(client.runNow(id, 0, ada))).toBe('STEP_NOT_EDITABLE');
    expect(await code(client.runNow(id, 1, ada))).toBe('STEP_NOT_FOUND');
    expect(await code(client.runNow(id, 0, {} as never))).toBe('INVALID_ARGUMENT');
    expect(await actsOf(process)).toEqual([]);
  });
});

describeSqlHouses('a step that an operator resolves in a transaction of the app', (house) => {
  it('has his outcome if and when that commits', async () => {
    const process = await house().boot({ workflows: { order: (ctx) => ctx.remote('nobody', 1) } });
    const { client, storage } = process;
    const { id } = await client.start('order');
    await recorded(process, id, 0);
    const within = (work: (transaction: unknown) => Promise<void>) =>
      inAppTransaction(house().backend!.orm, storage.handle, ({ handle }) => work(handle));
    const undone = within(async (transaction) => {
      await client.resolveStep(id, 0, { output: 1 }, { ...ada, transaction });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await storage.catalog.step(id, 0))?.status).toBe('pending');
    await within((transaction) => client.resolveStep(id, 0, { output: 2 }, { ...ada, transaction }));
    expect(await client.result(id)).toBe(2);
    expect(await actsOf(process)).toHaveLength(1);
  });
});
