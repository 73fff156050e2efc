import type { RefusedWrite, RunWrite } from '../../../lib/engine/runs.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { gate } from '../../support/gate.js';
import { describeSqlHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

describeSqlHouses('claims that the database has lost', (house) => {
  const query = (text: string) => house().backend!.query(text);
  const lose = (dueAt: string) =>
    query(`UPDATE durable_runs SET owner = NULL, epoch = epoch - 1, wake_at = ${dueAt} WHERE id = 'r1'`);

  /** A process with a run whose first outcome is held on its way to the database, and which says `n` the n-th time. */
  const playing = async () => {
    const [held, goes, again] = [gate(), gate(), gate()];
    let calls = 0;
    let refused: readonly RefusedWrite[] | undefined;
    const process = await house().boot({
      workflows: {
        order: async (ctx: WorkflowContext) => {
          const said = await ctx.step('a', async () => {
            if (++calls > 1) await again.opened;
            return calls;
          });
          return ctx.step('b', () => said);
        },
      },
      hooks: {
        before: async (call, [writes]) => {
          if (call !== 'store.commit' || (writes as RunWrite[]).every(({ steps }) => steps.length === 0)) return;
          held.open();
          await goes.opened;
        },
        after: (call, _, answer) => void (call === 'store.commit' && (refused ??= answer as RefusedWrite[])),
      },
    });
    await process.client.start('order', null, { id: 'r1' });
    await held.opened;
    return {
      process,
      /** The run is played under a new claim, and then the old write arrives. */
      letGo: async () => {
        await until('it is played again', () => calls === 2);
        goes.open();
        await until('the old write is answered', () => refused);
      },
      finish: async () => {
        expect(refused).toMatchObject([{ runId: 'r1', epoch: 1 }]);
        expect((await process.client.getStatus('r1', { history: true })).history).toEqual([]);
        again.open();
        expect(await process.client.result('r1', { timeout: '120s' })).toBe(2);
      },
    };
  };

  it('are not made again under the same number while the run is still played here', async () => {
    const { letGo, finish } = await playing();
    await lose('0');
    await letGo();
    await finish();
  });

  it('nor while a write of a claim that was given up is still tried', async () => {
    const { process, letGo, finish } = await playing();
    await lose('NULL');
    await process.engine.heartbeat.tick();
    expect(process.engine.residents.size).toBe(0);
    await query(`UPDATE durable_runs SET wake_at = 0 WHERE id = 'r1'`);
    await letGo();
    await finish();
  });
});
