import { Telemetry } from '../../../lib/core/telemetry.js';
import { NOTHING_HELD } from '../../../lib/acts/holds.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { isSent } from '../../../lib/worker/claims.js';
import { CREDIT_MS } from '../../../lib/worker/credits.js';
import type { ClaimedTask } from '../../../lib/worker/task-source.js';
import type { WorkerOptions } from '../../../lib/worker/worker.js';
import { workerOn } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { describeSqlHouses, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;
const STEPS = 5;

interface Commit {
  tasks: readonly { seq: number }[];
}

const order = async (ctx: WorkflowContext) => {
  let n = 0;
  for (let i = 0; i < STEPS; i++) n = await ctx.remote<number>('far', n);
  return n;
};

interface WorkerHow extends Partial<WorkerOptions> {
  run?: (n: number) => unknown;
}

const clock = new ManualClock();

describeSqlHouses(
  'a worker of another process than the engine',
  (house) => {
    const attempts: { worker: string; attempt: number }[] = [];
    /** Before a worker looks for what was sent to it. */
    let beforeLook: () => Promise<void>;
    /** Before and after an engine dispatches the second step of a run. */
    let second: { before?: () => Promise<void>; after?: () => Promise<void> } = {};
    beforeEach(() => {
      attempts.length = 0;
      beforeLook = async () => {};
      second = {};
    });

    const far = (worker: string, run = (n: number): unknown => n + 1) => ({
      far: (n: number, { attempt }: { attempt: number }) => {
        attempts.push({ worker, attempt });
        return run(n);
      },
    });

    /** Leases do not run out: whoever waits for one waits in vain. */
    const bootWorker = async (name: string, { run, ...options }: WorkerHow = {}) => {
      const claimed: ClaimedTask[] = [];
      const telemetry = new Telemetry();
      const released: string[] = [];
      telemetry.on('task.released', ({ reason }) => void released.push(reason));
      const process = await house().boot({
        engine: false,
        role: 'worker',
        hooks: {
          before: (call) => (call === 'source.sentTo' ? beforeLook() : undefined),
          after: (call, _, tasks) => void (call === 'source.claim' && claimed.push(...(tasks as ClaimedTask[]))),
        },
      });
      const worker = process.serve(far(name, run), {
        workerId: name,
        leaseMs: HOUR_MS,
        pollMs: HOUR_MS,
        telemetry,
        ...options,
      });
      return { process, worker, claimed, released };
    };

    const bootEngine = (): Promise<Process> => {
      const isSecond = (call: string, [writes]: readonly unknown[]) =>
        call === 'store.commit' && (writes as Commit[]).some(({ tasks }) => tasks.some(({ seq }) => seq === 1));
      return house().boot({
        workflows: { order },
        hooks: {
          before: async (call, args) => void (isSecond(call, args) && (await second.before?.())),
          after: async (call, args) => void (isSecond(call, args) && (await second.after?.())),
        },
      });
    };

    /**
     * Until nothing but the first step of a run is claimed. Whoever is looking for tasks gives no credit; from then on it
     * looks only when it is notified.
     */
    async function credited(engine: Process, { claimed }: { claimed: unknown[] }): Promise<void> {
      await until('a run with one claim', async () => {
        claimed.length = 0;
        expect(await engine.client.startAndWait('order', 0)).toBe(STEPS);
        return claimed.length === 1;
      });
      claimed.length = 0;
      attempts.length = 0;
    }

    const marks = async () => {
      const rows = await house().backend!.query<{ claimed_by: string | null }>(
        'SELECT claimed_by FROM durable_transport_tasks',
      );
      return rows.flatMap(({ claimed_by }) => claimed_by ?? []);
    };

    it('claims the first step of a run, and is sent the others', async () => {
      const engine = await bootEngine();
      const one = await bootWorker('one');
      await credited(engine, one);
      await engine.client.startAndWait('order', 0);
      expect(attempts).toEqual(Array(STEPS).fill({ worker: 'one', attempt: 1 }));
    });

    it('is sent nothing any more a short while after its answer', async () => {
      const engine = await bootEngine();
      engine.define('slow', async (ctx: WorkflowContext) => {
        await ctx.remote<number>('far', 0);
        clock.advance(CREDIT_MS + 1);
        await ctx.remote<number>('far', 1);
      });
      const one = await bootWorker('one');
      await credited(engine, one);
      await engine.client.startAndWait('slow', 0);
      expect(one.claimed.map(({ seq }) => seq)).toEqual([0, 1]);
    });

    it('is sent nothing if it gives no credits', async () => {
      const engine = await bootEngine();
      const one = await bootWorker('one', { credits: false });
      for (let n = 0; n < 2; n++) await engine.client.startAndWait('order', 0);
      expect(one.claimed).toHaveLength(2 * STEPS);
    });

    it('gives back at once what is held meanwhile, and another one begins it', async () => {
      let isHeld = false;
      const engine = await bootEngine();
      const one = await bootWorker('one', { held: { ...NOTHING_HELD, isHeld: () => isHeld } });
      await credited(engine, one);
      second.before = async () => {
        isHeld = true;
        await bootWorker('other');
      };
      expect(await engine.client.startAndWait('order', 0)).toBe(STEPS);
      expect([one.released, attempts.map(({ worker }) => worker)]).toEqual([
        ['busy'],
        ['one', ...Array<string>(STEPS - 1).fill('other')],
      ]);
    });

    it('gives back at once what it is too busy for, and another one begins it', async () => {
      const release = gate();
      const engine = await bootEngine();
      const one = await bootWorker('one', { run: (n) => (n < 0 ? release.opened : n + 1), concurrency: 2 });
      await credited(engine, one);
      let other: Awaited<ReturnType<typeof bootWorker>> | undefined;
      second.before = async () => {
        const tasks = [0, 1].map((seq) => ({ stepId: `x:${seq}`, runId: 'x', seq, name: 'far', group: 'far' }));
        await engine.storage.dispatcher.dispatch(tasks.map((task) => ({ ...task, input: '-1', attempt: 1 })));
        await until('one is busy', () => one.worker.running === 2);
        other = await bootWorker('other');
      };
      try {
        expect(await engine.client.startAndWait('order', 0)).toBe(STEPS);
        expect([one.released, other?.claimed[0]]).toEqual([['busy'], expect.objectContaining({ seq: 1, attempt: 1 })]);
      } finally {
        release.open();
      }
    });

    it('that stops gives back what was sent when it no longer heard', async () => {
      const engine = await bootEngine();
      const one = await bootWorker('one');
      await credited(engine, one);
      let stopped: Promise<void> | undefined;
      const [looks, sent] = [gate(), gate()];
      beforeLook = () => {
        looks.open();
        return sent.opened;
      };
      second.before = async () => {
        stopped = one.worker.stop();
        await looks.opened;
      };
      let written: string[] = [];
      second.after = async () => {
        written = await marks();
        sent.open();
      };
      const run = await engine.client.start('order', 0);
      await until('it stops', () => stopped !== undefined);
      await stopped;
      expect([written.map(isSent), await marks()]).toEqual([[true], []]);
      await bootWorker('other');
      expect(await run.result({ timeout: '120s' })).toBe(STEPS);
      expect(attempts).toEqual(
        Array.from({ length: STEPS }, (_, i) => ({ worker: i === 0 ? 'one' : 'other', attempt: 1 })),
      );
    });

    it('gives back what was sent when it is told that notifications were lost', async () => {
      const lost: ClaimedTask[] = [];
      const engine = await bootEngine();
      const { storage } = await house().boot({ engine: false, role: 'worker' });
      const { source } = storage;
      const onTasks = source.onTasks.bind(source);
      source.onTasks = (listener) =>
        onTasks((groups, sent = []) => {
          if (sent.length === 0 || lost.length > 0) return listener(groups, sent);
          lost.push(...sent);
          listener();
        });
      const worker = workerOn(storage, far('one'), { workerId: 'one', leaseMs: HOUR_MS });
      await until('one is lost', async () => {
        attempts.length = 0;
        expect(await engine.client.startAndWait('order', 0)).toBe(STEPS);
        expect(attempts).toHaveLength(STEPS);
        return lost.length > 0;
      });
      expect(lost.map(({ claim }) => isSent(claim.claimedBy))).toEqual([true]);
      await worker.stop();
    });
  },
  { only: ({ db }) => db === 'postgres', clock },
);
