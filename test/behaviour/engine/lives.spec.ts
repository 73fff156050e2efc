import { OperatorActs } from '../../../lib/acts/acts.js';
import { UNRECORDED } from '../../../lib/engine/starts.js';
import { gate } from '../../support/gate.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

const coded = (code: string) => Object.assign(new Error(code), { code });

describeHouses('restart', (house) => {
  it('charges again, under another idempotency key; retry charges under the same one', async () => {
    const keys: string[] = [];
    let broken = true;
    const process = await house().boot({
      workflows: {
        order: async (ctx, input: string) => {
          await ctx.step('charge', ({ idempotencyKey }) => void keys.push(idempotencyKey));
          await ctx.step('ship', () => (broken ? Promise.reject(coded('NO_TRUCK')) : 1), { retry: 1 });
          return input;
        },
      },
    });
    const handle = await process.client.start('order', 'first', { id: 'r' });
    await expect(handle.result()).rejects.toMatchObject({ code: 'NO_TRUCK' });
    await process.client.retry('r');
    await expect(handle.result()).rejects.toMatchObject({ code: 'NO_TRUCK' });
    expect(keys).toEqual(['r:0']);
    broken = false;
    await process.client.restart('r');
    await expect(handle.result()).resolves.toBe('first');
    await process.client.restart('r', { input: 'second' });
    await expect(handle.result()).resolves.toBe('second');
    expect(keys).toEqual(['r:0', `r:${2 + UNRECORDED}`, `r:${4 + UNRECORDED}`]);
  });

  it.each(['restart', 'start'] as const)(
    'a new life by %s has no key of a step that was in flight when the run ended',
    async (how) => {
      const keys: string[] = [];
      let hold = gate();
      const process = await house().boot({
        workflows: {
          order: async (ctx) => {
            await ctx.step('reserve', () => 1);
            const call = ({ idempotencyKey }: { idempotencyKey: string }) => (keys.push(idempotencyKey), hold.opened);
            await Promise.all([ctx.step('charge', call), ctx.step('mail', call), ctx.step('book', call)]);
          },
        },
      });
      const handle = await process.client.start('order', null, { id: 'r' });
      await until('all are in flight', () => keys.length === 3);
      await handle.cancel();
      await expect(handle.result()).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
      hold.open();
      hold = gate();
      if (how === 'restart') await process.client.restart('r');
      else await process.client.start('order', null, { id: 'r', idReuse: 'allow-if-failed' });
      await until('all are in flight again', () => keys.length === 6);
      hold.open();
      await process.client.result('r');
      expect(new Set(keys).size).toBe(6);
    },
  );

  it('begins compensated, cancelled and completed runs anew, and refuses runs that have not ended', async () => {
    const hold = gate();
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          await ctx.step('reserve', () => 1, { compensate: () => 1 });
          await ctx.step('ship', () => hold.opened);
        },
      },
    });
    await process.client.start('order', null, { id: 'r' });
    await until(
      'the first step',
      async () => (await process.client.getStatus('r', { history: true })).history!.length > 0,
    );
    await expect(process.client.restart('r')).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_ENDED',
      message: expect.stringContaining('restart it') as unknown,
    });
    await process.client.cancel('r');
    await expect(process.client.result('r')).rejects.toMatchObject({ code: 'WORKFLOW_CANCELLED' });
    await expect(process.client.retry('r')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_RETRYABLE' });
    await process.client.restart('r');
    hold.open();
    await expect(process.client.result('r')).resolves.toBeUndefined();
    await expect(process.client.restart('unknown')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });
});

describeHouses('fork', (house) => {
  it('shares what is before the position, and does the rest under its own keys', async () => {
    const keys: string[] = [];
    const hold = gate();
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const price = await ctx.step('price', ({ idempotencyKey }) => keys.push(idempotencyKey));
          await ctx.step('charge', ({ idempotencyKey }) => keys.push(idempotencyKey));
          await ctx.remote('wait', 1);
          return price;
        },
      },
    });
    await process.client.start('order', null, { id: 'a' });
    const history = async (id: string) => (await process.client.getStatus(id, { history: true })).history!;
    await until('two steps', async () => (await history('a')).length === 3);
    const fork = await process.client.fork('a', { from: 1, id: 'b' });
    expect([fork.id, fork.created]).toEqual(['b', true]);
    await until('its own steps', async () => (await history('b')).length === 3);
    expect(keys).toEqual(['a:0', 'a:1', 'b:1']);
    expect(await fork.status()).toMatchObject({ forkedFrom: { id: 'a', seq: 1 }, parentId: null });
    process.serve({ wait: () => hold.opened });
    hold.open();
    await expect(Promise.all([fork.result(), process.client.result('a')])).resolves.toEqual([1, 1]);
    expect((await process.client.getStatus('a')).forkedFrom).toBeNull();
    expect((await process.client.fork('a', { from: 1, id: 'b' })).created).toBe(false);
    const ended = await process.client.fork('a', { from: 2 });
    await expect(ended.result()).resolves.toBe(1);
    expect(keys.length).toBe(3);
  });

  it('leaves an act if it is made or repeated, and none if its id belongs to another run', async () => {
    const process = await house().boot({ workflows: { order: (ctx) => ctx.step('charge', () => 1) } });
    const by = { actor: 'ada', reason: 'a test' };
    for (const id of ['a', 'other']) await process.client.startAndWait('order', null, { id });
    const made = [await process.client.fork('a', { from: 1, id: 'b', ...by })];
    made.push(await process.client.fork('a', { from: 1, id: 'b', ...by }));
    expect(made.map(({ created }) => created)).toEqual([true, false]);
    for (const [id, from] of [
      ['other', 1],
      ['b', 0],
    ] as const)
      await expect(process.client.fork('a', { from, id, ...by })).rejects.toMatchObject({
        code: 'WORKFLOW_ID_CONFLICT',
        message: `Run "${id}" exists with another origin (it is no fork of "a" from ${from}): use another id`,
      });
    const acts = (await new OperatorActs(process.storage.acts, '').list({})).acts.reverse();
    expect(acts.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['fork', 'forked'],
      ['fork', 'repeated'],
    ]);
  });

  it('is refused, before anything is written, where it cannot share', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx, input: string) => {
          await ctx.step(input, () => 1, { compensate: () => 1 });
          await ctx.step('charge', () => Promise.reject(coded('DECLINED')), { retry: 1 });
        },
      },
    });
    await expect(process.client.startAndWait('order', 'one', { id: 'a' })).rejects.toThrow('DECLINED');
    const refused = async (options: Parameters<typeof process.client.fork>[1]) =>
      process.client.fork('a', options).catch((error: unknown) => error);
    expect(await refused({ from: 1 })).toMatchObject({ code: 'WORKFLOW_FORK_REFUSED', why: 'compensated' });
    expect(await refused({ from: 9 })).toMatchObject({ code: 'WORKFLOW_FORK_REFUSED', why: 'outside' });
    expect(await refused({ from: -1 })).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await refused({ from: 0, id: 'a' })).toMatchObject({ code: 'WORKFLOW_ID_CONFLICT' });
    await expect(process.client.fork('unknown', { from: 0 })).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });

  it('is refused if the code does not ask for the shared steps with the given input', async () => {
    const process = await house().boot({
      workflows: {
        order: async (ctx, input: string) => {
          await ctx.step(`look at ${input}`, () => 1);
          return ctx.step('ship', () => input);
        },
      },
    });
    await process.client.startAndWait('order', 'one', { id: 'a' });
    await expect(process.client.fork('a', { from: 1, input: 'two', id: 'b' })).rejects.toMatchObject({
      code: 'WORKFLOW_FORK_REFUSED',
      why: 'mismatch',
      message: expect.stringMatching(/"look at one".*"look at two"/) as unknown,
    });
    await expect(process.client.getStatus('b')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    const anew = await process.client.fork('a', { from: 0, input: 'two' });
    await expect(anew.result()).resolves.toBe('two');
    const without = await house().boot({ engine: false });
    const left = await without.client.fork('a', { from: 1, input: 'two' });
    await until('it is blocked', async () => (await left.status()).reason === 'non_determinism');
  });

  it('leaves the compensation of shared steps to the run that did them', async () => {
    const undone: string[] = [];
    let broken = false;
    const process = await house().boot({
      workflows: {
        order: async (ctx) => {
          const undo = (name: string) => ({
            compensate: (_: unknown, { idempotencyKey }: { idempotencyKey: string }) =>
              void undone.push(`${name} ${idempotencyKey}`),
          });
          await ctx.step('reserve', () => 1, undo('reserve'));
          await ctx.step('charge', () => 1, undo('charge'));
          if (broken) ctx.fail('broken');
        },
      },
    });
    await process.client.startAndWait('order', null, { id: 'a' });
    broken = true;
    const fork = await process.client.fork('a', { from: 1, id: 'b' });
    await expect(fork.result()).rejects.toThrow('broken');
    expect(undone).toEqual(['charge b:-2']);
  });
});
