import type { WorkflowContext } from '../../../lib/engine/context.js';
import { type Backend, type OpenBackend, describeDatabases } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, type OpenStorage, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { type Observation, observed } from '../../support/observed-executor.js';
import { until } from '../../support/until.js';

const RUNS = 200;
const STEPS = 100;
/** Beats, looks for revocations, and whoever waits for a result: the slower the machine, the more of them for each step. */
const BY_THE_CLOCK = /durable_nodes|^SELECT id, (epoch|namespace)/;

interface Updates {
  /** Rows updated, and how many of them without a new entry in any index. */
  total: number;
  hot: number;
}

const onPostgres = (at: Backend) => at.db === 'postgres' && at.orm === 'typeorm';

describeDatabases(
  'what is written for a run',
  (at) => {
    let backend: OpenBackend;
    let storage: OpenStorage;
    let observation: Observation;

    beforeAll(async () => {
      backend = await at.open();
      const own = observed(executorOf(backend));
      observation = own.observation;
      storage = await sqlStorageOn(own.executor);
    });
    afterAll(async () => {
      await storage.close();
      await backend.close();
    });

    /** Backends tell what they did when they have been idle for a moment. */
    const updates = async (): Promise<Map<string, Updates>> => {
      let before = '';
      return until(
        'the counts stand still',
        async () => {
          const rows = await backend.query<{ relname: string; total: string; hot: string; rows: string }>(
            `SELECT relname, n_tup_upd AS total, n_tup_hot_upd AS hot, n_tup_ins AS rows FROM pg_stat_user_tables
           WHERE relname LIKE 'durable%' ORDER BY relname`,
          );
          const now = JSON.stringify(rows.filter(({ relname }) => relname !== 'durable_nodes'));
          const still = now === before;
          before = now;
          const runs = rows.find(({ relname }) => relname === 'durable_runs');
          if (!still || Number(runs?.rows) < RUNS || Number(runs?.total) < RUNS) return undefined;
          return new Map(rows.map(({ relname, total, hot }) => [relname, { total: Number(total), hot: Number(hot) }]));
        },
        { everyMs: 1_500 },
      );
    };

    it('is little, and most updates touch no index (N10)', async () => {
      const parts = engineParts(storage);
      parts.define('order', async (ctx: WorkflowContext, n: number) => {
        await ctx.step('a', () => n);
        const b = await ctx.remote<number>('double', n);
        await ctx.sleep('nap', 20);
        return ctx.step('c', () => b + 1);
      });
      const worker = workerOn(storage, { double: (n: number) => 2 * n });
      await parts.start();
      for (let n = 0; n < RUNS; n += 20)
        await Promise.all(Array.from({ length: 20 }, (_, i) => parts.client.startAndWait('order', n + i)));
      const found = await updates();
      await parts.stop();
      await worker.stop();
      const of = (table: string) => found.get(`durable_${table}`) ?? { total: 0, hot: 0 };
      const told = ['runs', 'steps', 'transport_tasks', 'transport_results', 'nodes'].map((table) => {
        const { total, hot } = of(table);
        return `${table} ${(total / RUNS).toFixed(2)} (${((100 * hot) / Math.max(1, total)).toFixed(0)} % HOT)`;
      });
      process.stdout.write(`updates per run of 4 steps: ${told.join(', ')}\n`);
      const kept = ['steps', 'transport_tasks', 'nodes'].map(of);
      const hot = kept.reduce((sum, own) => sum + own.hot, 0) / kept.reduce((sum, own) => sum + own.total, 0);
      // Taken, and ended: both move it from one index to another, so neither can be HOT, and there must be no third.
      expect(of('runs').total / RUNS).toBeLessThan(2.5);
      expect(of('steps').total / RUNS).toBeLessThan(3);
      expect(hot).toBeGreaterThan(0.7);
    });

    it('is one commit for a step of its own that follows another (N10)', async () => {
      const parts = engineParts(storage, { pollMs: 60_000 });
      const marks: number[] = [];
      const counted = (): [commits: number, asked: number] => {
        const own = observation.statements.filter(
          ({ text, inTransaction }) => inTransaction || !BY_THE_CLOCK.test(text),
        );
        return [own.filter(({ text, inTransaction }) => !inTransaction || text === 'COMMIT').length, own.length];
      };
      parts.define('long', async (ctx: WorkflowContext) => {
        for (let n = 0; n < STEPS; n++) {
          if (n === 1) marks.push(...counted());
          await ctx.step('step', () => n);
        }
        marks.push(...counted());
      });
      await parts.start();
      await parts.client.startAndWait('long');
      await parts.stop();
      const [transactions = 0, statements = 0, lastTransactions = 0, lastStatements = 0] = marks;
      const [commits, asked] = [(lastTransactions - transactions) / STEPS, (lastStatements - statements) / STEPS];
      process.stdout.write(`a local step: ${commits.toFixed(2)} commits, ${asked.toFixed(2)} statements\n`);
      expect(commits).toBeLessThan(1.2);
      expect(asked).toBeLessThan(2.5);
    });
  },
  { only: onPostgres },
);
