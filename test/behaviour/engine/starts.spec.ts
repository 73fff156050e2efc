import type { WorkflowContext } from '../../../lib/engine/context.js';
import { DatabaseError } from '../../../lib/core/errors.js';
import { ManualClock } from '../../../lib/core/time.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { describeHouses, describeSqlHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

const clock = new ManualClock();
const echo = async (_: WorkflowContext, input: never) => input as unknown;

describeHouses('a start without an id whose commit nobody hears of', (house) => {
  /** A process that hears of its first write of starts only that the connection is lost, once `then` has happened. */
  const boot = async (then: () => Promise<unknown>) => {
    let calls = 0;
    const after = async (call: string) => {
      if (call !== 'catalog.create' || ++calls > 1) return;
      await then();
      throw new DatabaseError('Connection lost', true);
    };
    const twice = async (ctx: WorkflowContext<number>, input: never) => (input === 9 ? 9 : ctx.continueAsNew(9));
    return house().boot({ workflows: { order: echo, twice }, hooks: { after } });
  };

  it('is answered its own run, also when that has gone on with another input', async () => {
    const process = await boot(() =>
      until('the run has ended', async () => (await process.client.list({ status: 'completed' })).runs.length > 0),
    );
    const { client } = process;
    const singleton = { key: 'k', window: '1h' } as const;
    const starts = [
      client.start('twice', 1, { singleton }),
      client.start('twice', 2, { singleton }),
      client.start('order', 3, { delay: '1h' }),
    ];
    const [first, second, other] = await Promise.all(starts);
    expect([first!.created, second!.created, other!.created]).toEqual([true, false, true]);
    expect(second!.id).toBe(first!.id);
    expect(await first!.result()).toBe(9);
  });

  it('is answered its own run, also when a later start with its key has changed the input', async () => {
    const process = await boot(async () => undefined);
    const { client } = process;
    const debounce = { key: 'k', delay: '1h' } as const;
    const starts = [1, 2].map((input) => client.start('order', input, { debounce }));
    const [first, second] = await Promise.all(starts);
    expect([first!.created, second!.created]).toEqual([true, false]);
    expect(second!.id).toBe(first!.id);
    expect((await client.list()).runs.length).toBe(1);
  });
});

describeHouses('starting a run', (house) => {
  const boot = () => house().boot({ workflows: { order: echo } });

  it('refuses options that cannot be used, before anything is written', async () => {
    const { client } = await boot();
    const refused = [
      { priority: 1_001 },
      { priority: 0.5 },
      { concurrencyKey: '' },
      { concurrencyKey: 'x'.repeat(192) },
      { timeout: 'soon' as never },
      { idReuse: 'always' as never },
      { singleton: { key: '' } },
      { singleton: { key: 'a', window: 0 } },
      { debounce: { key: 'a', delay: 0 } },
      { debounce: { key: 'a', delay: 5 }, delay: 5 },
      { singleton: { key: 'a' }, debounce: { key: 'a', delay: 5 } },
      { attributes: { n: Number.NaN } },
    ];
    for (const options of refused)
      await expect(client.start('order', 1, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await client.list()).runs).toEqual([]);
  });

  it('a key that is no text is an error of the start', async () => {
    const process = await house().boot();
    const keys = [() => undefined, () => 'x'.repeat(192), () => JSON.parse('{') as string];
    keys.forEach((key, n) =>
      process.registry.register({
        name: `order${n}`,
        version: 1,
        runner: { run: echo },
        limits: { concurrency: { limit: 1, key: key as () => string } },
      }),
    );
    for (const n of keys.keys())
      await expect(process.client.start(`order${n}`, 1)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const given = await process.client.start('order0', 1, { concurrencyKey: 'given' });
    expect(given.created).toBe(true);
  });

  it('an id is used again where that is asked, and the new run is the only one', async () => {
    const { client } = await boot();
    expect(await client.startAndWait('order', 1, { id: 'a' })).toBe(1);
    await expect(client.start('order', 2, { id: 'a' })).rejects.toMatchObject({ code: 'WORKFLOW_ID_CONFLICT' });
    await expect(client.start('order', 2, { id: 'a', idReuse: 'allow-if-failed' })).rejects.toMatchObject({
      status: 409,
    });
    expect(await client.startAndWait('order', 2, { id: 'a', idReuse: 'allow-if-ended' })).toBe(2);
    expect((await client.list()).runs.length).toBe(1);
  });

  it('a singleton is answered the run that is there', async () => {
    const { client } = await boot();
    const first = await client.start('order', 1, { singleton: { key: 'k', window: '1h' } });
    const second = await client.start('order', 2, { singleton: { key: 'k', window: '1h' } });
    expect([second.created, second.id, await second.result()]).toEqual([false, first.id, 1]);
  });

  it('a place in line is left by starting: all begin and end', async () => {
    const { client } = await boot();
    const options = [{ priority: 5 }, { priority: -5 }, { concurrencyKey: 'a' }, { concurrencyKey: 'b', priority: 1 }];
    const handles = await Promise.all(options.map((option, n) => client.start('order', n, option)));
    expect(await Promise.all(handles.map(({ result }) => result({ timeout: '120s' })))).toEqual([0, 1, 2, 3]);
  });
});

describeHouses(
  'starting a run that waits for more of its kind',
  (house) => {
    it('a debounced start is answered the run that is there, and gives it its input', async () => {
      const { client } = await house().boot({ workflows: { order: echo } });
      const start = (input: number) => client.start('order', input, { debounce: { key: 'k', delay: 300 } });
      const handles = await Promise.all([1, 2].map(start));
      clock.advance(200);
      handles.push(await start(3));
      expect(handles.filter(({ created }) => created).length).toBe(1);
      clock.advance(300);
      expect(await handles[0]!.result({ timeout: '120s' })).toBe(3);
    });
  },
  { clock },
);

describeSqlHouses('starting a run in a transaction of the app', (house) => {
  it('with a key is undone with it, and of many at once one begins a run', async () => {
    const process = await house().boot({ workflows: { order: echo } });
    const { client, storage } = process;
    const { orm } = house().backend!;
    const options = { singleton: { key: 'k', window: '1h' } } as const;
    const rolledBack = inAppTransaction(orm, storage.handle, async ({ handle: transaction }) => {
      expect((await client.start('order', 0, { ...options, transaction })).created).toBe(true);
      throw new Error('boom');
    });
    await expect(rolledBack).rejects.toThrow('boom');
    const starts = Array.from({ length: 8 }, (_, n) =>
      inAppTransaction(orm, storage.handle, ({ handle: transaction }) =>
        client.start('order', n, { ...options, transaction }),
      ),
    );
    const handles = await Promise.all(starts);
    expect(handles.filter(({ created }) => created).length).toBe(1);
    expect(new Set(handles.map(({ id }) => id)).size).toBe(1);
    expect(typeof (await handles[0]!.result({ timeout: '120s' }))).toBe('number');
  });
});
