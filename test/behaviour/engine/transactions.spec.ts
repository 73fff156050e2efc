import { DatabaseError } from '../../../lib/core/errors.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { appLedger } from '../../support/app-ledger.js';
import { afterCommits, inAppTransaction } from '../../support/app-transactions.js';
import { type Cut, startCommitCutter } from '../../support/commit-cutter.js';
import { type Body, engineParts } from '../../support/engine-parts.js';
import { sqlStorage } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { describeHouses, describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NO_WAIT = { delay: 1, factor: 1, jitter: 'none' } as const;

describeSqlHouses('transactions', (house) => {
  const { enter, ledger } = appLedger(house);
  const orm = () => house().backend!.orm;
  const inApp: <T>(process: Process, work: Parameters<typeof inAppTransaction<T>>[2]) => Promise<T> = (process, work) =>
    inAppTransaction(orm(), process.storage.handle, work);

  it('a run started in the app’s transaction begins when it commits, and never was when it rolls back (P1)', async () => {
    const played: string[] = [];
    const process = await house().boot({
      workflows: { order: async (ctx) => void played.push(ctx.workflowId) },
    });
    const rolledBack = inApp(process, async ({ handle, query }) => {
      await query(`INSERT INTO app_ledger (entry) VALUES ('lost')`);
      await process.client.start('order', 1, { id: 'lost', transaction: handle });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await inApp(process, async ({ handle, query }) => {
      await query(`INSERT INTO app_ledger (entry) VALUES ('kept')`);
      const { created } = await process.client.start('order', 1, { id: 'kept', transaction: handle });
      expect(created).toBe(true);
      expect((await process.client.start('order', 1, { id: 'kept', transaction: handle })).created).toBe(false);
      // Engines look for due runs meanwhile.
      await process.engine.claimer.tick();
      expect((await process.client.list()).runs).toEqual([]);
      expect(played).toEqual([]);
    });
    await process.client.result('kept');
    await process.client.startAndWait('order', 1, { id: 'marker' });
    expect(played.sort()).toEqual(['kept', 'marker']);
    expect(await ledger()).toEqual(['kept']);
    await expect(process.client.getStatus('lost')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });

  it('a run started in the app’s transaction is told of once that has committed, and not before', async () => {
    const process = await house().boot({ workflows: { order: async () => 1 } });
    let told = 0;
    const stop = process.storage.store.onRuns(() => told++);
    // Whoever has just begun to listen is told to look once.
    const { notifier } = process.storage;
    if (process.storage.executor?.dialect.family === 'postgres')
      await until('it listens', () => notifier?.live === true);
    const before = told;
    await inApp(process, async ({ handle }) => {
      await process.client.start('order', 1, { id: 'told', transaction: handle });
      expect(told).toBe(before);
    });
    expect(told).toBeGreaterThan(before);
    stop();
    await process.client.result('told');
  });

  it('a run that is there already is found inside a transaction, whatever the transaction saw before', async () => {
    const process = await house().boot({ engine: false });
    const outcome = await inApp(process, async ({ handle, query }) => {
      await query('SELECT entry FROM app_ledger');
      await query('SELECT id FROM durable_runs');
      await process.client.start('order', 1, { id: 'r1' });
      const again = await process.client.start('order', 1, { id: 'r1', transaction: handle });
      const conflict: unknown = await process.client
        .start('order', 2, { id: 'r1', transaction: handle })
        .catch((e: unknown) => e);
      return [again.created, (conflict as { code: string }).code];
    });
    expect(outcome).toEqual([false, 'WORKFLOW_ID_CONFLICT']);
  });

  it('a cancellation in the app’s transaction counts when it commits', async () => {
    const process = await house().boot({ workflows: { order: (ctx) => ctx.remote('far') } });
    const { id } = await process.client.start('order');
    await until('the task is there', async () => (await process.storage.dispatcher.lost([`${id}:0`])).length === 0);
    const rolledBack = inApp(process, async ({ handle }) => {
      expect(await process.client.cancel(id, { transaction: handle })).toBe(true);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect((await process.client.getStatus(id)).status).toBe('running');
    await inApp(process, ({ handle }) => process.client.cancel(id, { transaction: handle }));
    expect((await process.client.getStatus(id)).status).toBe('cancelled');
    expect(await process.storage.dispatcher.lost([`${id}:0`])).toEqual([`${id}:0`]);
  });

  it('what is no open transaction is refused by a TypeError that says what to pass, and nothing is written', async () => {
    const process = await house().boot({ engine: false });
    const app = process.storage.handle as { manager: unknown; em: { fork(): unknown } };
    const closed = orm() === 'typeorm' ? app.manager : app.em.fork();
    for (const transaction of [closed, app, {}, null, 'tx', 7]) {
      const error: unknown = await process.client.start('order', 1, { transaction }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({
        code: 'INVALID_TRANSACTION',
        message: expect.stringMatching(/transaction/i) as string,
      });
    }
    let kept: unknown;
    await inApp(process, async ({ handle }) => void (kept = handle));
    await expect(process.client.start('order', 1, { transaction: kept })).rejects.toBeInstanceOf(TypeError);
    expect((await process.client.list()).runs).toEqual([]);
  });

  it('waiting for a run inside the transaction that starts it is refused', async () => {
    const process = await house().boot({ engine: false });
    await inApp(process, async ({ handle }) => {
      const waiting = process.client.startAndWait('order', 1, { transaction: handle });
      await expect(waiting).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    });
    expect((await process.client.list()).runs).toEqual([]);
  });

  it('ctx.transaction writes the app’s rows and its record in one commit, exactly once', async () => {
    const hold = gate();
    const body =
      (released: Promise<void>): Body =>
      async (ctx: WorkflowContext) => {
        const branches = ['a', 'b', 'c', 'd'].map((name) =>
          ctx.transaction(name, async (tx) => {
            await enter(tx, name);
            return `${name} done`;
          }),
        );
        const both = await Promise.all([...branches, ctx.step('beside', () => 'step')]);
        await ctx.step('hold', () => released);
        return both;
      };
    const first = await house().boot({ workflows: { order: body(hold.opened) } });
    const { id } = await first.client.start('order');
    await until('all are recorded', async () => {
      const { history } = await first.client.getStatus(id, { history: true });
      return history!.filter(({ status }) => status === 'completed').length === 5;
    });
    expect(await ledger()).toEqual(['a', 'b', 'c', 'd']);
    first.kill();
    await house().bury(first);
    const second = await house().boot({ workflows: { order: body(Promise.resolve()) } });
    expect(await second.client.result(id)).toEqual(['a done', 'b done', 'c done', 'd done', 'step']);
    expect(await ledger()).toEqual(['a', 'b', 'c', 'd']);
    const settled = (await second.storage.catalog.steps(id)).map((step) => step.settled!).sort((a, b) => a - b);
    expect(settled).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('ctx.transaction is not done again when what the app has hooked to its commit fails after it', async () => {
    const process = await house().boot({
      workflows: {
        order: (ctx: WorkflowContext) =>
          ctx.transaction('pay', async (tx) => {
            await enter(tx, 'paid');
            return 'paid';
          }),
      },
    });
    let failed = 0;
    // Deep in a transaction of this step and no other.
    const unhook = afterCommits(orm(), process.storage.handle, async () => {
      if (failed > 0 || (await ledger()).length === 0) return;
      failed++;
      throw new Error('whoever was to hear of it is away');
    });
    try {
      expect(await process.client.startAndWait('order')).toBe('paid');
    } finally {
      unhook();
    }
    expect([failed, await ledger()]).toEqual([1, ['paid']]);
  });

  it('ctx.transaction of a process that was killed in it left nothing, and is done by the next', async () => {
    const inside = gate();
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.transaction('a', async (tx) => {
            await enter(tx, 'killed');
            inside.open();
            await new Promise(() => {});
          }),
      },
    });
    const { id } = await process.client.start('order');
    await inside.opened;
    process.kill();
    await house().bury(process);
    const second = await house().boot({
      workflows: { order: (ctx) => ctx.transaction('a', (tx) => enter(tx, 'heir').then(() => 1)) },
    });
    expect(await second.client.result(id)).toBe(1);
    expect(await ledger()).toEqual(['heir']);
  });

  it('ctx.transaction of a run that was lost meanwhile is rolled back (P2, E20)', async () => {
    const [inside, go] = [gate(), gate()];
    const zombie = await house().boot({
      nodeLeaseMs: 60_000,
      workflows: {
        order: (ctx) =>
          ctx.transaction('a', async (tx) => {
            await enter(tx, 'zombie');
            inside.open();
            await go.opened;
            return 'zombie';
          }),
      },
    });
    const { id } = await zombie.client.start('order');
    await inside.opened;
    await house().bury(zombie);
    const heir = await house().boot({
      workflows: { order: (ctx) => ctx.transaction('a', (tx) => enter(tx, 'heir').then(() => 'heir')) },
    });
    expect(await heir.client.result(id)).toBe('heir');
    go.open();
    await until('the zombie has let go', () => zombie.engine.residents.size === 0);
    expect(await ledger()).toEqual(['heir']);
    expect((await heir.client.getStatus(id, { history: true })).history).toMatchObject([{ output: 'heir' }]);
  });

  it('ctx.transaction that fails is rolled back, and tried again as its policy says', async () => {
    let tries = 0;
    const process = await house().boot({
      workflows: {
        order: (ctx) =>
          ctx.transaction(
            'a',
            async (tx) => {
              await enter(tx, `try ${++tries}`);
              if (tries < 3) throw Object.assign(new Error('no'), { code: 'NO' });
              return tries;
            },
            { retry: { attempts: 3, backoff: NO_WAIT } },
          ),
        unserializable: (ctx) =>
          ctx.transaction('a', async (tx) => {
            await enter(tx, 'never');
            return () => 1;
          }),
      },
    });
    expect(await process.client.startAndWait('order')).toBe(3);
    const { id } = await process.client.start('unserializable');
    await until('it is blocked', async () => (await process.client.getStatus(id)).reason === 'programming_error');
    expect(await ledger()).toEqual(['try 3']);
  });

  it.each<Cut>(['after commit', 'before commit', 'as conflict'])(
    'a COMMIT of ctx.transaction that goes wrong %s leaves one entry and one record (fault 7)',
    async (cut) => {
      const { backend } = house();
      const cutter = await startCommitCutter(backend!, 'app_ledger');
      const through = { ...backend!, host: '127.0.0.1', port: cutter.port };
      const opened = await (orm() === 'typeorm' ? openTypeOrm : openMikroOrm)(through, {});
      const storage = await sqlStorage({ orm: orm(), handle: opened.handle });
      const parts = engineParts(storage);
      let tries = 0;
      parts.define('order', async (ctx) => {
        const value = await ctx.transaction('a', async (tx) => {
          if (++tries === 1) cutter.arm(cut);
          await enter(tx, 'entry');
          return `try ${tries}`;
        });
        return [value, await ctx.step('b', () => 'after')];
      });
      await parts.start();
      const output = await parts.client.startAndWait('order', null, { id: 'r1', timeout: '120s' });
      expect(cutter.cuts).toBe(1);
      expect(output).toEqual([cut === 'before commit' ? 'try 2' : 'try 1', 'after']);
      expect(await ledger()).toEqual(['entry']);
      const { history } = await parts.client.getStatus('r1', { history: true });
      // A database that was away is no failure of the step (N8).
      expect(history).toMatchObject([{ name: 'a', failures: 0 }, { name: 'b' }]);
      await parts.stop();
      await storage.close();
      await opened.close();
      await cutter.close();
    },
  );
});

describeHouses('a transaction whose commit was not answered', (house) => {
  it('is read back although the database refuses to be read at first: it is neither repeated nor left hanging', async () => {
    let [lost, refused, tries] = [0, 0, 0];
    const process = await house().boot({
      hooks: {
        after: (call) => {
          if (call === 'transactions.begin' && lost++ === 0) throw new DatabaseError('The connection was lost', true);
        },
        before: (call) => {
          // As a connection does that stands in an aborted transaction: waiting for the database would not help.
          if (call === 'store.histories' && lost === 1 && refused++ < 2) throw new DatabaseError('(25P02)', false);
        },
      },
      workflows: {
        order: async (ctx) => {
          const value = await ctx.transaction('a', () => ++tries, { retry: { attempts: 5, backoff: NO_WAIT } });
          return [value, await ctx.step('b', () => 'after')];
        },
      },
    });
    expect(await process.client.startAndWait('order', null, { id: 'r1', timeout: '120s' })).toEqual([1, 'after']);
    expect({ lost, tries }).toEqual({ lost: 1, tries: 1 });
    expect(refused).toBeGreaterThan(1);
    const { history } = await process.client.getStatus('r1', { history: true });
    expect(history).toMatchObject([{ name: 'a', failures: 0 }, { name: 'b' }]);
  });
});

describeSqlHouses(
  'MikroORM’s open transaction',
  (house) => {
    it('is joined without being asked (P1)', async () => {
      const process = await house().boot({ workflows: { order: async () => 'played' } });
      const app = process.storage.handle as {
        em: { fork(): { transactional(work: () => Promise<void>): Promise<void> } };
      };
      const rolledBack = app.em.fork().transactional(async () => {
        await process.client.start('order', 1, { id: 'lost' });
        throw new Error('no');
      });
      await expect(rolledBack).rejects.toThrow('no');
      await app.em.fork().transactional(async () => {
        await process.client.start('order', 1, { id: 'kept' });
        await expect(process.client.getStatus('kept')).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
      });
      expect(await process.client.result('kept')).toBe('played');
      expect((await process.client.list()).runs.map(({ id }) => id)).toEqual(['kept']);
    });
  },
  { only: ({ orm }) => orm === 'mikro-orm' },
);
