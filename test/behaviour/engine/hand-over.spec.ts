import { DatabaseError } from '../../../lib/core/errors.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import type { Outgoing } from '../../../lib/engine/runs.js';
import { gate } from '../../support/gate.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { describeHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

needsOwner('engine and worker are of one process, and share its connection');

const HOUR_MS = 3_600_000;

const word = new WorkflowSignal<string>('word');

const one = (ctx: WorkflowContext) => ctx.remote<number>('far', 1);

const claimFar = ({ storage }: Process) =>
  storage.source.claim({
    workerId: 'by hand',
    groups: [{ group: 'far', limit: 10 }],
    names: ['far'],
    limit: 10,
    leaseMs: 30_000,
  });

describeHouses('a worker in the process of the engine', (house) => {
  /** A process whose worker looks for tasks once, and then only if it is told of some. */
  async function boot(options: Parameters<ReturnType<typeof house>['boot']>[0] = {}) {
    const claimed: unknown[] = [];
    let looks = 0;
    const process = await house().boot({
      ...options,
      worker: { pollMs: HOUR_MS, ...options.worker },
      hooks: {
        ...options.hooks,
        after: (call, _, answer) => {
          if (call !== 'source.claim') return;
          looks++;
          claimed.push(...(answer as unknown[]));
        },
      },
    });
    await until('its worker has looked', () => looks > 0);
    return { process, claimed };
  }

  it('begins its steps with the commits that ask for them, and claims none', async () => {
    const { process, claimed } = await boot({
      workflows: {
        order: async (ctx) => {
          let n = 0;
          for (let i = 0; i < 5; i++) n = await ctx.remote<number>('far', n);
          return n;
        },
      },
      handlers: { far: (n: number) => n + 1 },
    });
    let id = '';
    // While it looks at first, or when it begins to be told of tasks, they wait for a claim.
    await until('a run without a claim', async () => {
      claimed.length = 0;
      const run = await process.client.start('order', 0);
      expect(await run.result()).toBe(5);
      id = run.id;
      return claimed.length === 0;
    });
    const { history } = await process.client.getStatus(id, { history: true });
    expect(history!.map(({ failures, worker }) => [failures, worker])).toEqual(
      Array(5).fill([0, process.workerIds[0]]),
    );
  });

  it('leaves what it has no room for to others', async () => {
    const [here, there] = [[] as number[], [] as number[]];
    const release = gate();
    const serving = (list: number[]) => ({
      far: async (n: number) => {
        list.push(n);
        await release.opened;
        return n;
      },
    });
    const all = Array.from({ length: 8 }, (_, n) => n);
    const order = (ctx: WorkflowContext) => Promise.all(all.map((n) => ctx.remote<number>('far', n)));
    const { process, claimed } = await boot({
      workflows: { order },
      handlers: serving(here),
      worker: { concurrency: 4 },
    });
    await house().boot({ engine: false, handlers: serving(there) });
    const run = await process.client.start('order', 0);
    await until('all have begun', () => here.length + there.length === all.length);
    expect([here.length - claimed.length, [...here, ...there].sort()]).toEqual([2, all]);
    release.open();
    expect(await run.result()).toEqual(all);
  });

  it('begins a task whose commit had no reply, once', async () => {
    const begun: number[] = [];
    let lost = 0;
    const { process } = await boot({
      workflows: { order: one },
      handlers: {
        far: (_: number, { attempt }) => {
          begun.push(attempt);
          return attempt;
        },
      },
      hooks: {
        before: (call, args) => {
          const [writes, outgoing] = args as [{ tasks: unknown[] }[], Outgoing];
          if (call !== 'store.commit' || lost > 0 || writes.every(({ tasks }) => tasks.length === 0)) return;
          lost++;
          const away = () => {
            throw new DatabaseError('The connection was lost', true);
          };
          (args as unknown[])[1] = Object.assign((...given: Parameters<Outgoing>) => outgoing(...given), {
            carried: away,
          });
        },
      },
    });
    const run = await process.client.start('order', 1);
    expect([await run.result({ timeout: '120s' }), begun]).toEqual([1, [1]]);
  });

  it('that dies loses its tasks like any that it has claimed', async () => {
    const begun = gate();
    const { process } = await boot({
      workflows: { order: one },
      handlers: {
        far: () => {
          begun.open();
          return new Promise(() => {});
        },
      },
    });
    await process.client.start('order', 1);
    await begun.opened;
    const other = await house().boot({ engine: false });
    expect(await claimFar(other)).toEqual([]);
    process.kill();
    await house().bury(process);
    const [task] = await claimFar(other);
    expect(task).toMatchObject({ attempt: 2, reclaimed: true, lostBy: process.workerIds[0] });
  });

  it('hands outcomes back, which are recorded without answers', async () => {
    const reports: unknown[] = [];
    const { process } = await boot({
      workflows: { order: async (ctx) => [await ctx.remote<number>('far', 1), await ctx.remote<number>('far', 2)] },
      handlers: { far: (n: number) => n + 1 },
      hooks: { before: (call, args) => void (call === 'source.report' && reports.push(...(args[0] as unknown[]))) },
    });
    const run = await process.client.start('order', 0);
    expect([await run.result(), reports]).toEqual([[2, 3], []]);
    expect(await process.storage.dispatcher.lost([`${run.id}:0`, `${run.id}:1`])).toHaveLength(2);
  });

  describe('whose task is taken over before its outcome is recorded', () => {
    /** Begins a run whose remote step "far" returns the number of its attempt; the second one counts. */
    async function takenOver(workflows: Record<string, (ctx: WorkflowContext) => Promise<unknown>>) {
      const attempts: number[] = [];
      const far = (_: unknown, { attempt }: { attempt: number }) => {
        attempts.push(attempt);
        return attempt;
      };
      const other = await house().boot({ engine: false });
      const { process } = await boot({
        workflows,
        handlers: { far, near: (n: number) => n },
        hooks: {
          before: async (call, args) => {
            const [writes] = args as [{ ends?: unknown[] }[]];
            if (call !== 'store.commit' || attempts.length > 1 || !writes.some(({ ends }) => ends)) return;
            await house().lapse(process);
            other.serve({ far });
            await until('another attempt', () => attempts.length > 1);
          },
        },
      });
      return { run: await process.client.start('order', 0), attempts, process };
    }

    it('plays the run again with the outcome of the other attempt', async () => {
      const seen: number[] = [];
      const order = async (ctx: WorkflowContext) => {
        seen.push(await ctx.remote<number>('far', 1));
        return ctx.remote<number>('near', seen.at(-1));
      };
      const { run, attempts, process } = await takenOver({ order });
      expect(await run.result({ timeout: '120s' })).toBe(2);
      expect([attempts, seen]).toEqual([
        [1, 2],
        [1, 2],
      ]);
      const { history } = await process.client.getStatus(run.id, { history: true });
      expect(history!.map(({ output }) => output)).toEqual([2, 2]);
    });

    it('closes no children because of what does not count', async () => {
      const order = async (ctx: WorkflowContext) => {
        const child = await ctx.startChild<string>('child', null, { id: 'the child' });
        return (await ctx.remote<number>('far', 1)) === 1 ? 'an early end' : child.result();
      };
      const child = (ctx: WorkflowContext) => ctx.waitForSignal('word', word);
      const { run, process } = await takenOver({ order, child });
      await until('it is played again', async () => {
        const { history } = await process.client.getStatus(run.id, { history: true });
        return history!.some(({ output }) => output === 2);
      });
      await process.client.signal(word, 'a late end', { workflowId: 'the child' });
      expect(await run.result({ timeout: '120s' })).toBe('a late end');
    });
  });
});
