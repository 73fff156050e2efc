import { DatabaseError } from '../../../lib/core/errors.js';
import { StrandedSweep } from '../../../lib/engine/nodes.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import type { RemoteStepDirectory } from '../../../lib/engine/workflow.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { sql } from '../../../lib/sql/statement.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { numbersTable } from '../../support/crowded-tables.js';
import { type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { mortal } from '../../support/mortal-storage.js';
import { describeHouses, type House, type Process } from '../../support/processes.js';
import { until } from '../../support/until.js';

const RUNS = 100;
const clock = new ManualClock();
const order = (ctx: WorkflowContext) => ctx.remote('far');
const limits: RemoteStepDirectory = {
  ofClass: () => new Map(),
  ofName: (name) => ({ name, group: name, limits: { concurrency: { limit: RUNS } } }),
};

describeHouses(
  'tasks of parked runs that were deleted',
  (house) => {
    /** So many runs that wait for a worker and are in nobody's memory, their tasks gone since a minute ago. */
    const loseTasks = async (process: Process) => {
      const ids = Array.from({ length: RUNS }, (_, n) => `r${n}`);
      await Promise.all(ids.map((id) => process.client.start('order', null, { id })));
      const stepIds = ids.map((id) => `${id}:0`);
      await until('all are asked for', async () => (await process.storage.dispatcher.lost(stepIds)).length === 0);
      clock.advance(60_000);
      await parked(process);
      await process.storage.dispatcher.withdraw(stepIds);
      return stepIds;
    };

    const parked = (process: Process) =>
      until('all runs are parked', async () => {
        process.engine.wake();
        await process.engine.residents.tick();
        const { runs } = await process.client.list({ status: 'suspended', limit: RUNS });
        return process.engine.residents.size === 0 && runs.length === RUNS;
      });

    /** How many are back after one look of the sweep, without a turn of the clock. */
    const back = async (process: Process, stepIds: readonly string[]) => {
      const before = clock.now();
      await process.engine.strandedSweep.tick();
      await until('all tasks are there', async () => (await process.storage.dispatcher.lost(stepIds)).length === 0);
      expect(clock.now()).toBe(before);
    };

    /** Processes that had them in memory have died so often that they are played one at a time. */
    const makeSuspects = async (at: House) => {
      for (let n = 0; n < 3; n++) {
        const dying = await at.boot({ residencyMs: 3_600_000, workflows: { order } });
        await until('it has all of them', () => dying.engine.residents.size === RUNS);
        dying.kill();
        await at.bury(dying);
      }
    };

    it('are all sent again after one look, however short the residency', async () => {
      const process = await house().boot({ residencyMs: 1, workflows: { order } });
      await back(process, await loseTasks(process));
    });

    it('are all sent again after one look where the step has a limit', async () => {
      const process = await house().boot({ residencyMs: 1, workflows: { order }, steps: limits });
      await back(process, await loseTasks(process));
    });

    it('are not lost as long as they are still to be written, and are asked for once', async () => {
      const written = gate();
      let asked = 0;
      const process = await house().boot({
        workflows: { order },
        hooks: {
          before: async (call, [writes]) => {
            if (call !== 'store.commit' || !(writes as RunWrite[]).some(({ tasks }) => tasks.length > 0)) return;
            asked++;
            await written.opened;
          },
        },
      });
      const handle = await process.client.start('order');
      await until('it is asked for', () => asked);
      clock.advance(60_000);
      await process.engine.residents.tick();
      written.open();
      process.serve({ far: () => 'done' });
      expect(await handle.result()).toBe('done');
      expect(asked).toBe(1);
    });

    it('are looked for also where their run is writing something else', async () => {
      const [writes, written] = [gate(), gate()];
      const looked: unknown[] = [];
      const process = await house().boot({
        workflows: { order: async (ctx) => Promise.all([ctx.remote('far'), ctx.step('here', () => 1)]) },
        hooks: {
          before: async (call, [given]) => {
            if (call === 'dispatcher.lost') looked.push(...(given as string[]));
            const isHere = ({ steps }: RunWrite) =>
              steps.some(({ name, settled }) => name === 'here' && settled !== null);
            if (call !== 'store.commit' || !(given as RunWrite[]).some(isHere)) return;
            writes.open();
            await written.opened;
          },
        },
      });
      const { id } = await process.client.start('order');
      await writes.opened;
      clock.advance(60_000);
      await process.storage.dispatcher.withdraw([`${id}:0`]);
      await process.engine.residents.tick();
      expect(looked).toContain(`${id}:0`);
      written.open();
      process.serve({ far: () => 'done' });
      expect(await process.client.result(id)).toEqual(['done', 1]);
    });

    it('are all sent again after one look where every owner of their runs has died', async () => {
      const starter = await house().boot({ engine: false, role: 'client' });
      const ids = Array.from({ length: RUNS }, (_, n) => `r${n}`);
      await Promise.all(ids.map((id) => starter.client.start('order', null, { id })));
      await makeSuspects(house());
      const process = await house().boot({ workflows: { order } });
      const stepIds = ids.map((id) => `${id}:0`);
      await until('all are asked for', async () => (await process.storage.dispatcher.lost(stepIds)).length === 0);
      await parked(process);
      clock.advance(60_000);
      await process.storage.dispatcher.withdraw(stepIds);
      await back(process, stepIds);
    });
  },
  { clock },
);

describeDatabases('the sweep for deleted tasks', (at) => {
  const ROWS = 16_384;
  let backend: OpenBackend;
  let storage: OpenStorage;

  beforeAll(async () => {
    backend = await at.open();
    storage = await sqlStorage(backend);
    await numbersTable(backend.query, ROWS);
    await backend.query(
      `INSERT INTO durable_runs (id, namespace, workflow, version, status, epoch, settled, crashes, created_at)
       SELECT CONCAT('parked-', n), '', 'work', 1, 'suspended', 1, 0, 0, n FROM numbers`,
    );
    await backend.query(
      `INSERT INTO durable_steps (run_id, seq, kind, name, status, attempt, created_at)
       SELECT CONCAT('parked-', n), 0, 'remote', 'far', 'pending', 0, 1 FROM numbers`,
    );
  });
  afterAll(async () => {
    await storage.close();
    await backend.close();
  });

  it('looks for half a second at a time and goes on where it stopped, so that all are woken in turn', async () => {
    const elapsed = new ManualClock();
    let pages = 0;
    const slow = mortal(storage, {
      after: (call) => {
        if (call !== 'stranded.awaited') return;
        pages++;
        elapsed.advance(100);
      },
    });
    const sweep = new StrandedSweep(slow.storage.stranded, storage.dispatcher, { elapsed });
    const woken = async () => {
      const due = sql`SELECT COUNT(*) AS n FROM durable_runs WHERE wake_at IS NOT NULL`;
      const { rows } = await storage.executor!.run<{ n: number | string }>(due);
      return Number(rows[0]!.n);
    };
    await sweep.tick();
    expect([pages, await woken()]).toEqual([5, 5_000]);
    await sweep.tick();
    expect([pages, await woken()]).toEqual([10, 10_000]);
    await sweep.tick();
    await sweep.tick();
    expect([pages, await woken()]).toEqual([17, ROWS]);
  });
});

describeHouses('a task whose commit was answered too late for its process', (house) => {
  const answered = async (inDoubt: number) => {
    const attempts: number[] = [];
    const observer = await house().boot({ engine: false });
    let isLost = false;
    // In memory there is one process: what its worker has returned is no row.
    const isAnswered = async () =>
      house().kind === 'memory'
        ? attempts.includes(inDoubt)
        : (await observer.storage.dispatcher.peek(1)).answers.length > 0;
    const process = await house().boot({
      workflows: { order: (ctx) => ctx.remote('far', null, { retry: { attempts: 3, backoff: { delay: 0 } } }) },
      hooks: {
        after: async (call, [writes]) => {
          if (call !== 'store.commit' || isLost) return;
          if (!(writes as RunWrite[]).some(({ tasks }) => tasks.some(({ attempt }) => attempt === inDoubt))) return;
          isLost = true;
          await until('its worker has answered', isAnswered);
          throw new DatabaseError('the answer of the server was lost', true);
        },
      },
    });
    observer.serve({
      far: (_, { attempt }) => {
        attempts.push(attempt);
        if (attempt < inDoubt) throw new Error('not yet');
        return attempt;
      },
    });
    const { id } = await process.client.start('order');
    expect(await process.client.result(id)).toBe(inDoubt);
    expect([isLost, attempts]).toEqual([true, Array.from({ length: inDoubt }, (_, n) => n + 1)]);
    expect(await observer.storage.dispatcher.lost([`${id}:0`])).toEqual([`${id}:0`]);
  };

  it('is not asked for again once it has been answered', () => answered(1));

  it('nor is that of the next attempt, whose answer is not taken away', () => answered(2));
});
