import type { WorkflowContext } from '../../../lib/engine/context.js';
import { render } from '../../../lib/sql/statement.js';
import type { SqlTransaction, SqlExecutor } from '../../../lib/sql/executor.js';
import type { Statement } from '../../../lib/sql/statement.js';
import { commit, find, newRun, owned, ownedOne, writeOf } from '../../contract/conformance/fixtures.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf, type OpenStorage, sqlStorage, sqlStorageOn } from '../../support/engine-storage.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

describeHouses('children', (house) => {
  it('a child is awaited, and its output is the step’s', async () => {
    const { client, storage } = await house().boot({
      workflows: {
        parent: async (ctx: WorkflowContext, n: number) => (await ctx.executeChild<number>('child', n)) + 1,
        child: async (ctx: WorkflowContext, n: number) => ctx.step('double', () => n * 2),
      },
    });
    const { id } = await client.start('parent', 20, { id: 'p' });
    expect(await client.result(id)).toBe(41);
    const [step] = await storage.catalog.steps('p');
    expect(step).toMatchObject({ kind: 'child', name: 'child', ref: 'p.0', status: 'completed', output: '40' });
    const [child] = await storage.catalog.find(['p.0']);
    expect(child).toMatchObject({ parentId: 'p', parentSeq: 0, status: 'completed', namespace: '' });
    await until('its answer is taken', async () => (await storage.dispatcher.peek(10)).answers.length === 0);
  });

  it('a child that fails fails its step, by name, code and message', async () => {
    const { client } = await house().boot({
      workflows: {
        parent: async (ctx: WorkflowContext) => {
          const error = (await ctx.executeChild('child').catch((thrown: unknown) => thrown)) as Error & {
            code: string;
          };
          return [error.name, error.message, error.code];
        },
        child: async (ctx: WorkflowContext) => ctx.fail('no stock', 'OUT'),
      },
    });
    expect(await client.startAndWait('parent')).toEqual(['WorkflowFailure', 'no stock', 'OUT']);
  });

  it('a child that is cancelled fails its step', async () => {
    const { client, storage } = await house().boot({
      workflows: {
        parent: async (ctx: WorkflowContext) => {
          const error = (await ctx.executeChild('child').catch((thrown: unknown) => thrown)) as Error & {
            code: string;
          };
          return [error.name, error.code];
        },
        child: async (ctx: WorkflowContext) => ctx.remote('nobody'),
      },
    });
    const { id } = await client.start('parent', null, { id: 'p' });
    await until('the child has asked', async () => (await storage.catalog.steps('p.0')).length === 1);
    await client.cancel('p.0');
    expect(await client.result(id)).toEqual(['WorkflowCancelledError', 'WORKFLOW_CANCELLED']);
  });

  it('fans out in one commit, and in the order of the inputs', async () => {
    const { client, storage } = await house().boot({
      workflows: {
        parent: async (ctx: WorkflowContext) => ctx.all('child', [3, 1, 2]),
        child: async (ctx: WorkflowContext, n: number) => {
          await ctx.sleep('a while', n * 5);
          return n * 10;
        },
      },
    });
    expect(await client.startAndWait('parent', null, { id: 'p' })).toEqual([30, 10, 20]);
    expect(await client.startAndWait('parent', null, { id: 'p' })).toEqual([30, 10, 20]);
    expect((await storage.catalog.steps('p')).length).toBe(3);
  });

  it('knows three ways of taking failures', async () => {
    const { client } = await house().boot({
      workflows: {
        parent: async (ctx: WorkflowContext, inputs: number[]) => {
          const messageOf = (error: Error) => error.message;
          const all = await ctx.all('child', inputs).catch(messageOf);
          const settled = await ctx.all('child', inputs, { mode: 'settled' });
          const some = await ctx.all('child', inputs, { mode: 'some' }).catch(messageOf);
          return [
            all,
            settled.map((one) => (one.status === 'fulfilled' ? one.value : messageOf(one.reason as Error))),
            some,
          ];
        },
        child: async (ctx: WorkflowContext, n: number) => (n % 2 ? ctx.fail(`odd ${n}`) : n),
      },
    });
    expect(await client.startAndWait('parent', [1, 2, 4])).toEqual(['odd 1', ['odd 1', 2, 4], [2, 4]]);
    expect(await client.startAndWait('parent', [3])).toEqual(['odd 3', ['odd 3'], 'odd 3']);
    expect(await client.startAndWait('parent', [])).toEqual([[], [], []]);
  });

  it('children have children', async () => {
    const { client } = await house().boot({
      workflows: {
        tree: async (ctx: WorkflowContext, depth: number): Promise<number> => {
          if (depth === 0) return 1;
          const leaves = await ctx.all<number>('tree', [depth - 1, depth - 1, depth - 1]);
          return leaves.reduce((sum, n) => sum + n, 0);
        },
      },
    });
    expect(await client.startAndWait('tree', 4)).toBe(81);
  });

  it('a handle is there at once, and its outcome when it is asked for, or never', async () => {
    const { client } = await house().boot({
      workflows: {
        parent: async (ctx: WorkflowContext) => {
          const good = await ctx.startChild<string>('child', 'good');
          const bad = await ctx.startChild('child', 'bad');
          const step = await ctx.step('between', () => 'between');
          await ctx.sleep('until both have ended', 50);
          return [good.id, bad.id, step, await good.result(), await good.result()];
        },
        child: async (ctx: WorkflowContext, how: string) => (how === 'bad' ? ctx.fail('bad') : how),
      },
    });
    expect(await client.startAndWait('parent', null, { id: 'p' })).toEqual(['p.0', 'p.1', 'between', 'good', 'good']);
  });

  it('an id that another run has fails the step', async () => {
    const { client } = await house().boot({
      workflows: {
        parent: async (ctx: WorkflowContext) => {
          const codes: string[] = [];
          for (const id of ['taken', 'mine', 'mine'])
            codes.push(
              await ctx.executeChild<string>('child', null, { id }).catch((error: { code: string }) => error.code),
            );
          return codes;
        },
        child: async () => 'new',
      },
    });
    await client.startAndWait('child', null, { id: 'taken' });
    expect(await client.startAndWait('parent')).toEqual(['WORKFLOW_ID_CONFLICT', 'new', 'WORKFLOW_ID_CONFLICT']);
  });

  it('ids that would be too long are hashed, and the same on every replay', async () => {
    const { client, storage } = await house().boot({
      workflows: { parent: async (ctx: WorkflowContext) => ctx.executeChild('child'), child: async () => 'done' },
    });
    const id = 'x'.repeat(179);
    expect(await client.startAndWait('parent', null, { id })).toBe('done');
    expect((await storage.catalog.steps(id))[0]?.ref).toMatch(/^[\w-]{43}$/);
  });

  it('a child is started once, whoever plays the parent', async () => {
    const workflows = {
      parent: async (ctx: WorkflowContext) => {
        const child = await ctx.startChild<number>('child');
        return [await ctx.remote('slow'), await child.result()];
      },
      child: async (ctx: WorkflowContext) => ctx.sleep('a while', 300).then(() => 7),
    };
    const first = await house().boot({ workflows });
    await first.client.start('parent', null, { id: 'p' });
    await until('both are asked', async () => (await first.storage.catalog.steps('p')).length === 2);
    first.kill();
    await house().bury(first);
    const second = await house().boot({ workflows, handlers: { slow: () => 1 } });
    expect(await second.client.result('p')).toEqual([1, 7]);
    expect((await second.storage.catalog.steps('p')).length).toBe(2);
  });
});

describeDatabases(
  'children on PostgreSQL',
  (at) => {
    let backend: OpenBackend;
    const opened: OpenStorage[] = [];
    beforeAll(async () => void (backend = await at.open()));
    afterAll(async () => {
      await Promise.all(opened.map((storage) => storage.close()));
      await backend.close();
    });

    it('an id whose run is deleted while a child is to begin under it is free', async () => {
      const others = await sqlStorage(backend);
      // Between the INSERT that finds the id taken and the look at whose it is.
      const deleting = duringRuns(executorOf(backend), async ({ text }) => {
        if (text.trim().startsWith('SELECT id, parent_id')) await others.removal.delete(['c'], async () => undefined);
      });
      const own = await sqlStorageOn(deleting);
      opened.push(own, others);
      const { store, catalog, control, roster } = own;
      const fixture = { store, catalog, control, roster, clock: new ManualClock() };
      const run = await ownedOne(fixture, 'p');
      const [taken] = await owned(fixture, ['c']);
      await commit(fixture, writeOf(taken!, { transition: { status: 'completed', output: '1' } }));
      const child = newRun('c', { parent: { id: 'p', seq: 0, close: 'cancel' }, attributes: { who: 'child' } });
      const neighbour = newRun('d', { parent: { id: 'p', seq: 1, close: 'cancel' } });
      expect(await commit(fixture, writeOf(run, { extras: { children: [child, neighbour] } }))).toEqual([]);
      expect(await find(fixture, 'c')).toMatchObject({ parentId: 'p', status: 'pending' });
      expect(await find(fixture, 'd')).toMatchObject({ parentId: 'p', status: 'pending' });
      expect(await others.insight.attributes(['c'])).toEqual([{ runId: 'c', name: 'who', value: 'child' }]);
    });
  },
  { only: ({ db }) => db === 'postgres' },
);

/** Calls `before` ahead of each statement of a transaction. */
function duringRuns(executor: SqlExecutor, before: (statement: { text: string }) => Promise<void>): SqlExecutor {
  const inside = (tx: SqlTransaction): SqlTransaction => ({
    dialect: tx.dialect,
    afterCommit: (listener) => tx.afterCommit(listener),
    run: async <Row>(statement: Statement) => {
      await before(render(statement, tx.dialect));
      return tx.run<Row>(statement);
    },
  });
  return Object.assign(Object.create(executor) as SqlExecutor, {
    dialect: executor.dialect,
    run: executor.run.bind(executor),
    transaction: <T>(work: (tx: SqlTransaction) => Promise<T>) => executor.transaction((tx) => work(inside(tx))),
  });
}
