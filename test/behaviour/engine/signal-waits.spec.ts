import { DatabaseError } from '../../../lib/core/errors.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { describeSqlHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const go = new WorkflowSignal<number>('go');

const waitsLeft = (house: House): Promise<unknown> =>
  house.backend!.query('SELECT step_id, channel FROM durable_signal_waits');

/** A first of several, as most runs have it. */
const first = (ctx: WorkflowContext, name = 'first') =>
  ctx.waitForAny(name, { go: ctx.signalWait(go), keyed: ctx.signalWait(go, { key: 'k' }), late: ctx.timer('1h') });

/** Small and good enough; the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describeSqlHouses('what runs waited for', (house) => {
  const waits = (process: Process, id: string) =>
    until('it waits', async () => {
      const { history } = await process.client.getStatus(id, { history: true });
      return history!.some(({ kind, status }) => kind === 'signal' && status === 'pending');
    });

  it('leaves no row where the commit that began the wait is made again after it was answered', async () => {
    let lost = false;
    const process: Process = await house().boot({
      workflows: { order: (ctx) => first(ctx) },
      hooks: {
        after: async (call, [writes]) => {
          const begins = call === 'store.commit' && (writes as RunWrite[]).some(({ extras }) => extras?.waits?.length);
          if (!begins || lost) return;
          lost = true;
          await process.client.signal(go, 7, { workflowId: 'r1' });
          await until('it is answered', async () => (await process.storage.dispatcher.lost(['r1:0'])).length === 0);
          throw new DatabaseError('Connection lost', true);
        },
      },
    });
    expect(await process.client.startAndWait('order', null, { id: 'r1' })).toEqual({ key: 'go', value: 7 });
    expect(lost).toBe(true);
    expect(await waitsLeft(house())).toEqual([]);
  });

  it('leaves no row where the run completes without it', async () => {
    const process = await house().boot({
      workflows: { order: (ctx) => Promise.race([first(ctx), ctx.step('quick', () => 'done')]) },
    });
    expect(await process.client.startAndWait('order')).toBe('done');
    expect(await waitsLeft(house())).toEqual([]);
  });

  it('leaves no row where the run is ended, from outside or by itself', async () => {
    const process = await house().boot({
      workflows: {
        order: (ctx) => first(ctx),
        undone: async (ctx) => {
          await ctx.step('charge', () => 1, { compensate: () => 2 });
          return first(ctx);
        },
        stuck: async (ctx) => {
          const refund = () => {
            throw new Error('no');
          };
          await ctx.step('charge', () => 1, { compensate: refund, retry: false });
          return first(ctx);
        },
        failing: (ctx) => Promise.race([first(ctx), ctx.step('quick', () => Promise.reject(new Error('no')))]),
        anew: (ctx, n: number) =>
          n > 0 ? Promise.race([first(ctx), ctx.continueAsNew(n - 1)]) : ctx.step('s', () => 'over'),
      },
    });
    const { client } = process;
    const ends = async (workflow: string, end: (id: string) => Promise<unknown>) => {
      const { id } = await client.start(workflow, 3);
      await waits(process, id);
      await end(id);
      await client.result(id).catch(() => undefined);
    };
    for (const workflow of ['order', 'undone', 'stuck']) {
      await ends(workflow, (id) => client.cancel(id));
      await ends(workflow, (id) => client.terminate(id));
    }
    await client.startAndWait('failing').catch(() => undefined);
    expect(await client.startAndWait('anew', 2)).toBe('over');
    expect(await waitsLeft(house())).toEqual([]);
  });

  it.each([1, 2, 3])(
    'leaves no row whatever happens in between: lost replies, deaths, signals, timers and ends at random (seed %i)',
    async (seed) => {
      const random = randomFrom(seed);
      const workflows = {
        order: async (ctx: WorkflowContext) => {
          const got: unknown[] = [];
          for (let n = 0; n < 4; n++) {
            const child = await ctx.startChild(`c${n}`, 'child');
            const late = ctx.timer(n === 3 ? 30 : '1h');
            const any = ctx.waitForAny(`w${n}`, {
              go: ctx.signalWait(go),
              child,
              late,
              keyed: ctx.signalWait(go, { key: 'k', match: (value) => value % 2 === n % 2 }),
            });
            got.push(await Promise.race([any, ctx.waitForSignal(`more${n}`, go, { key: `other-${n % 2}` })]));
          }
          return got.length;
        },
        child: async (ctx: WorkflowContext) => ctx.sleep('nap', 5),
      };
      const boot = () =>
        house().boot({
          workflows,
          residencyMs: random() < 0.5 ? 20 : 30_000,
          hooks: {
            after: (call) => {
              if (call === 'store.commit' && random() < 0.2) throw new DatabaseError('Connection lost', true);
            },
          },
        });
      const { client } = await house().boot({ engine: false });
      const processes = [await boot(), await boot()];
      const runs = await Promise.all(Array.from({ length: 12 }, () => client.start('order')));
      for (let n = 0; n < 30; n++) {
        const { id } = runs[Math.floor(random() * runs.length)]!;
        const to = random() < 0.4 ? { workflowId: id } : { key: random() < 0.5 ? 'k' : `other-${n % 2}` };
        await client.signal(go, n, to);
        if (random() < 0.1) await client.cancel(id);
        if (random() < 0.1) await client.terminate(id);
        if (n % 12 !== 6) continue;
        const dying = processes.shift()!;
        dying.kill();
        await house().bury(dying);
        processes.push(await boot());
      }
      await Promise.all(runs.map((run) => run.result({ timeout: '120s' }).catch(() => undefined)));
      const open = await client.list({ status: ['pending', 'running', 'suspended', 'compensating'] as never });
      await Promise.all(open.runs.map(({ id }) => client.result(id, { timeout: '120s' }).catch(() => undefined)));
      expect(await waitsLeft(house())).toEqual([]);
    },
  );
});
