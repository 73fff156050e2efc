import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { type EngineParts, engineParts, type EnginePartsOptions } from '../../support/engine-parts.js';
import { executorOf, type OpenStorage, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { type Observation, observed, shortOf } from '../../support/observed-executor.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

interface Watched {
  storage: OpenStorage;
  observation: Observation;
}

/** How often each kind of statement was asked. */
function tally({ statements }: Observation): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { text } of statements) counts[shortOf(text)] = (counts[shortOf(text)] ?? 0) + 1;
  return counts;
}

describeDatabases('what it costs', (at) => {
  let backend: OpenBackend;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    backend = await at.open();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => backend.close());

  const watch = async (): Promise<Watched> => {
    const { executor, observation } = observed(executorOf({ orm: at.orm, handle: await backend.another() }));
    const storage = await sqlStorageOn(executor);
    ends.push(() => storage.close());
    return { storage, observation };
  };
  const engineOn = ({ storage }: Watched, options: EnginePartsOptions = {}): EngineParts => {
    const parts = engineParts(storage, { pollMs: 1_000, ...options });
    ends.push(() => parts.stop());
    return parts;
  };
  const serve = ({ storage }: Watched, handlers: Parameters<typeof workerOn>[1]): void => {
    const worker = workerOn(storage, handlers);
    ends.push(() => worker.stop());
  };
  /** Statements per second that go on without anything to do. */
  const idleRate = async (watched: readonly Watched[], ms: number): Promise<number> => {
    for (const { observation } of watched) observation.reset();
    await pause(ms);
    return watched.reduce((sum, { observation }) => sum + observation.statements.length, 0) / (ms / 1_000);
  };

  if (at.db === 'postgres') {
    it('an idle process with 20 step names asks at most 5 statements per second (T24)', async () => {
      const own = await watch();
      const parts = engineOn(own);
      parts.define('order', async (ctx) => ctx.remote('step0'));
      serve(own, Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`step${n}`, () => n])));
      await parts.start();
      await parts.client.startAndWait('order');
      await until('notifications arrive', () => own.storage.notified!());
      // After work, naps are short for a second.
      await pause(2_500);
      const rate = await idleRate([own], 5_000);
      process.stdout.write(`idle [${at.name}]: ${rate} statements/s ${JSON.stringify(tally(own.observation))}\n`);
      expect(rate).toBeLessThanOrEqual(5);
    });

    it('a remote step of a run in memory costs at most 3 commits without load', async () => {
      const [near, far] = [await watch(), await watch()];
      const parts = engineOn(near);
      serve(far, { far: (n: number) => n });
      parts.define('order', async (ctx: WorkflowContext, steps: number) => {
        let sum = 0;
        for (let n = 0; n < steps; n++) sum += await ctx.remote<number>('far', n);
        return sum;
      });
      await parts.start();
      await parts.client.startAndWait('order', 20);
      for (const { storage } of [near, far]) await until('notifications arrive', () => storage.notified!());
      await pause(2_500);
      const idle = await idleRate([near, far], 4_000);
      const measure = async (count: number) => {
        for (const { observation } of [near, far]) observation.reset();
        const before = performance.now();
        await parts.client.startAndWait('order', count);
        const seconds = (performance.now() - before) / 1_000;
        const transactions = near.observation.transactions + far.observation.transactions;
        return { seconds, commits: transactions - idle * seconds };
      };
      const perStepOf = async () => {
        // What starting and ending the run costs is in both.
        const [short, long] = [await measure(20), await measure(120)];
        return { commits: (long.commits - short.commits) / 100, ms: (long.seconds - short.seconds) * 10 };
      };
      // What else the machine does brings polls with it, and never makes a step cheaper by a commit.
      const [least] = [await perStepOf(), await perStepOf(), await perStepOf()].sort((a, b) => a.commits - b.commits);
      const { commits: perStep, ms } = least!;
      process.stdout.write(
        `remote step [${at.name}]: ${perStep.toFixed(2)} commits, ${ms.toFixed(2)} ms; ` +
          `engine ${JSON.stringify(tally(near.observation))}; worker ${JSON.stringify(tally(far.observation))}\n`,
      );
      // Polls that fell in are taken off by their rate, so it is not exact to the last one.
      expect(perStep).toBeLessThan(3.1);
    });
  }

  it('replay reads each position once, however long the history (E18)', async () => {
    const read = async (steps: number) => {
      const own = await watch();
      const parts = engineOn(own, { residencyMs: 100_000 });
      let hold = true;
      parts.define(`order${steps}`, async (ctx: WorkflowContext) => {
        for (let n = 0; n < steps; n++) await ctx.step('step', () => n);
        if (hold) await new Promise(() => {});
        return 'done';
      });
      await parts.start();
      const { id } = await parts.client.start(`order${steps}`);
      await until('all is recorded', async () => (await own.storage.catalog.steps(id)).length === steps);
      const [owned] = await own.storage.store.owned(parts.engine.heartbeat['options'].node.id);
      hold = false;
      own.observation.reset();
      await own.storage.store.release([owned!], false);
      await parts.client.result(id);
      const { statements } = own.observation;
      return statements.filter(({ text }) => text.startsWith('SELECT run_id')).reduce((sum, { rows }) => sum + rows, 0);
    };
    expect(await read(25)).toBe(25);
    expect(await read(200)).toBe(200);
  });

  it('no statement more is asked for a late step than for an early one', async () => {
    const own = await watch();
    const parts = engineOn(own);
    const marks: number[] = [];
    parts.define('order', async (ctx: WorkflowContext) => {
      for (let n = 0; n < 300; n++) {
        if (n % 25 === 0) marks.push(own.observation.statements.length);
        await ctx.step('step', () => n);
      }
      marks.push(own.observation.statements.length);
    });
    await parts.start();
    await parts.client.startAndWait('order');
    const each = marks.slice(1).map((mark, i) => mark - marks[i]!);
    // The cheapest of them: polls fall into those in which the machine stood still.
    const [first, last] = [Math.min(...each.slice(0, 4)), Math.min(...each.slice(-4))];
    expect(last).toBeLessThanOrEqual(first * 1.2 + 3);
  });
});
