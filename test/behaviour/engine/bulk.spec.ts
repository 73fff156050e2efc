import { OperatorActs } from '../../../lib/acts/acts.js';
import type { BulkBatch } from '../../../lib/engine/client/bulk.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { DatabaseError } from '../../../lib/core/errors.js';
import { macrotask } from '../../../lib/core/time.js';
import { gate } from '../../support/gate.js';
import { type BootOptions, describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const ada = { actor: 'ada', reason: 'a test' };
const told = new WorkflowSignal<number>('told');

const actsOf = async ({ storage }: Process, kind: 'run' | 'bulk') =>
  (await new OperatorActs(storage.acts, '').list({ kind, limit: 1_000 })).acts;

const sleepers: BootOptions = { workflows: { sleeps: (ctx) => ctx.sleep('nap', '1h') } };

async function asleep(process: Process, count: number): Promise<string[]> {
  const started = await Promise.all(Array.from({ length: count }, () => process.client.start('sleeps')));
  const ids = started.map(({ id }) => id);
  const statuses = async () => Promise.all(ids.map(async (id) => (await process.client.getStatus(id)).status));
  await until('they sleep', async () => (await statuses()).every((status) => status === 'suspended'));
  return ids;
}

describeHouses('a bulk', (house) => {
  it('changes all runs that match, and tells what it would do before', async () => {
    const process = await house().boot(sleepers);
    const { client } = process;
    const ids = await asleep(process, 5);
    const dry = await client.cancelAll({ workflow: 'sleeps' }, { ...ada, dryRun: true }).all();
    expect(dry).toEqual({ done: 5, refused: 0, refusals: [] });
    expect(await actsOf(process, 'bulk')).toEqual([]);
    expect((await client.getStatus(ids[0]!)).status).toBe('suspended');
    await client.cancel(ids[0]!);
    const batches: BulkBatch[] = [];
    for await (const batch of client.cancelAll({ workflow: 'sleeps' }, { ...ada, batchSize: 2 })) batches.push(batch);
    expect(batches.at(-1)).toMatchObject({ total: { done: 4, refused: 1 } });
    expect(batches.flatMap(({ refused }) => refused)).toEqual([{ id: ids[0], why: 'It has ended' }]);
    expect(batches.flatMap((batch) => batch.ids).sort()).toEqual(ids.slice(1).sort());
    const { runs } = await client.list({ status: 'cancelled' });
    expect(runs).toHaveLength(5);
    const [ended, begun] = await actsOf(process, 'bulk');
    expect(begun).toMatchObject({
      action: 'cancel all',
      outcome: 'begun',
      details: { filter: { workflow: 'sleeps' } },
    });
    expect(ended).toMatchObject({ action: 'cancel all', outcome: 'ended', details: { done: 4, refused: 1 } });
    const each = await actsOf(process, 'run');
    expect(each).toHaveLength(4);
    expect(each[0]).toMatchObject({ ...ada, action: 'cancel', details: { bulk: begun!.target } });
  });

  it('goes on from its cursor in another process, and leaves runs alone that began later', async () => {
    const process = await house().boot(sleepers);
    const other = await house().boot(sleepers);
    await asleep(process, 5);
    const first = await process.client.terminateAll({ workflow: 'sleeps' }, { ...ada, batchSize: 2 }).batch();
    expect(first.total.done).toBe(2);
    process.kill();
    const later = await until('a later run sleeps', async () => (await asleep(other, 1))[0]);
    const options = { ...ada, cursor: first.cursor! };
    expect(await other.client.terminateAll({ workflow: 'sleeps' }, options).all()).toMatchObject({
      done: 5,
      refused: 0,
    });
    expect((await other.client.getStatus(later)).status).toBe('suspended');
    // Once more from the same cursor, as after a death in the middle of a batch.
    expect(await other.client.terminateAll({ workflow: 'sleeps' }, options).all()).toMatchObject({
      done: 2,
      refused: 3,
    });
  });

  it('sends each run its signal once, also when it is repeated', async () => {
    const process = await house().boot({
      workflows: {
        hears: async (ctx) => [await ctx.waitForSignal('first', told), await ctx.waitForSignal('second', told)],
      },
    });
    const { client } = process;
    const { id } = await client.start('hears', null, { attributes: { kind: 'x' } });
    const filter = { attributes: { kind: 'x' } };
    const two = client.signalAll(told, 1, { ids: [id, 'unknown'] }, { ...ada, batchSize: 1 });
    const first = await two.batch();
    const again = await client.signalAll(told, 1, { ids: [id, 'unknown'] }, { ...ada, cursor: first.cursor! }).all();
    expect(again).toMatchObject({ done: 1, refused: 1 });
    await client.signalAll(told, 2, filter, ada).all();
    expect(await client.result(id)).toEqual([1, 2]);
    const begun = (await actsOf(process, 'bulk')).filter(({ outcome }) => outcome === 'begun');
    expect(begun[0]!.details).toEqual({ filter: { attributes: ['kind'] } });
  });

  it('retries what is blocked, and deletes what has ended', async () => {
    let broken = true;
    const process = await house().boot({
      workflows: {
        // What no process tries again by itself: work that is done, with an output that cannot be stored.
        wrong: (ctx) => ctx.step('work', () => (broken ? () => 'not yet' : 'done')),
      },
    });
    const { client } = process;
    const handles = await Promise.all([client.start('wrong'), client.start('wrong')]);
    await until('both are blocked', async () => (await client.list({ blocked: true })).runs.length === 2);
    broken = false;
    expect(await client.deleteAll({ workflow: 'wrong' }, ada).all()).toMatchObject({ done: 0, refused: 2 });
    expect(await client.retryAll({ blocked: true }, ada).all()).toMatchObject({ done: 2, refused: 0 });
    for (const handle of handles) expect(await handle.result()).toBe('done');
    expect(await client.deleteAll({ status: 'completed' }, ada).all()).toMatchObject({ done: 2, refused: 0 });
    expect((await client.list()).runs).toEqual([]);
  });

  it('refuses the cursor of another action, filter, signal or dry run', async () => {
    const { client } = await house().boot({ ...sleepers, engine: false });
    for (let n = 0; n < 3; n++) await client.start('sleeps', n, { attributes: { kind: 'x', size: 1 } });
    const filter = { workflow: 'sleeps', attributes: { kind: 'x', size: 1 } };
    const { cursor } = await client.cancelAll(filter, { ...ada, batchSize: 1 }).batch();
    const options = { ...ada, cursor: cursor! };
    const wrong = (call: () => unknown) => expect(call).toThrow('cursor');
    wrong(() => client.terminateAll(filter, options));
    wrong(() => client.cancelAll(filter, { ...options, dryRun: true }));
    wrong(() => client.cancelAll({ workflow: 'sleeps' }, options));
    wrong(() => client.cancelAll({ ...filter, attributes: { kind: 'y', size: 1 } }, options));
    wrong(() => client.cancelAll({ ids: ['a'] }, options));
    const { cursor: heard } = await client.signalAll(told, 1, filter, { ...ada, batchSize: 1 }).batch();
    wrong(() => client.signalAll('other', 1, filter, { ...ada, cursor: heard! }));
    const reordered = { attributes: { size: 1, kind: 'x' }, workflow: 'sleeps' };
    expect(await client.cancelAll(reordered, { ...options, batchSize: 2 }).all()).toMatchObject({ done: 3 });
  });

  it('begins nothing more after an error, and tells of it once nothing is under way', async () => {
    const [hold, struck] = [gate(), gate()];
    const begun: unknown[] = [];
    let down = true;
    const process = await house().boot({
      ...sleepers,
      engine: false,
      hooks: {
        before: async (call, [id]) => {
          if (call !== 'control.close' || !down) return;
          if (begun.push(id) === 3) {
            struck.open();
            throw new DatabaseError('The connection was lost', true);
          }
          await hold.opened;
        },
      },
    });
    const { client } = process;
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) ids.push((await client.start('sleeps')).id);
    let heard: unknown;
    const bulk = client
      .cancelAll({ ids }, ada)
      .all()
      .catch((error: unknown) => (heard = error));
    await struck.opened;
    await until('four have begun', async () => begun.length === 4);
    // A round trip more, and in memory a turn of the event loop, in which it could tell too early.
    await client.list();
    await macrotask();
    expect(heard).toBeUndefined();
    hold.open();
    expect(await bulk).toBeInstanceOf(DatabaseError);
    expect(begun).toHaveLength(4);
    down = false;
    expect(await client.cancelAll({ ids }, ada).all()).toMatchObject({ done: 6, refused: 3 });
  });

  it('needs an actor, a reason and a filter', async () => {
    const { client } = await house().boot(sleepers);
    const refusal: unknown = expect.objectContaining({ code: 'INVALID_ARGUMENT' });
    const wrong = (call: () => unknown) => expect(call).toThrow(refusal as Error);
    wrong(() => client.cancelAll({}, ada));
    wrong(() => client.cancelAll({ attributes: {} }, ada));
    wrong(() => client.cancelAll({ attributes: { customer: undefined as never } }, ada));
    wrong(() => client.cancelAll({ status: 'running', workflow: undefined as never }, ada));
    wrong(() => client.cancelAll({ blocked: false }, ada));
    wrong(() => client.cancelAll({ workflows: 'sleeps' } as never, ada));
    wrong(() => client.cancelAll({ workflow: 'sleeps' }, {} as never));
    wrong(() => client.cancelAll({ workflow: 'sleeps' }, { actor: 'ada' } as never));
    wrong(() => client.cancelAll({ status: 'none' as never }, ada));
    wrong(() => client.cancelAll({ ids: [1] as never }, ada));
    wrong(() => client.cancelAll({ ids: ['a'], workflow: 'sleeps' }, ada));
    wrong(() => client.cancelAll({ workflow: 'sleeps' }, { ...ada, batchSize: 0 }));
    wrong(() => client.cancelAll({ workflow: 'sleeps' }, { ...ada, cursor: 'none' }));
  });
});
