import pg from 'pg';
import type { ClaimRuns } from '../../../lib/engine/runs.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { raw } from '../../../lib/sql/statement.js';
import { describeSqlHouses, type House } from '../../support/processes.js';

/** What is played under the snapshot. A claim that walked over all of it would take 0.1 ms more for each thousand. */
const RUNS = 12_000;
const PINNED_MS = 60_000;
const AT_ONCE = 200;
/** One by one, to see how long a claim takes. */
const SAMPLE = 300;

/** A fast one: a machine that is busy makes some of them slow, and a walk over what was taken all of them. */
const tenth = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)]!;

const order = async (ctx: WorkflowContext, n: number) => ctx.step('a', () => n);

/** An engine whose claims are timed: those that took something. */
async function timedEngine(house: House) {
  const claims: number[] = [];
  const begun = new Map<unknown, number>();
  const isDue = ([request]: readonly unknown[]) => (request as ClaimRuns).which === 'due';
  const engine = await house.boot({
    workflows: { order },
    hooks: {
      before: (call, args) => void (call === 'store.claim' && isDue(args) && begun.set(args, performance.now())),
      after: (call, args, taken) => {
        const at = begun.get(args);
        begun.delete(args);
        if (at !== undefined && (taken as unknown[]).length > 0) claims.push(performance.now() - at);
      },
    },
  });
  const { client, storage } = engine;
  /** What a claim takes now, and what a statement takes that does nothing. */
  const sample = async (): Promise<[claim: number, way: number]> => {
    const ways: number[] = [];
    claims.length = 0;
    for (let n = 0; n < SAMPLE; n++) {
      await client.startAndWait('order', n, { timeout: '120s' });
      const at = performance.now();
      await storage.executor!.run(raw('SELECT 1 AS one'));
      ways.push(performance.now() - at);
    }
    return [tenth(claims), tenth(ways)];
  };
  const play = async (runs: number): Promise<void> => {
    for (let n = 0; n < runs; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => client.startAndWait('order', n, { timeout: '120s' })));
  };
  return { sample, play };
}

describeSqlHouses(
  `a snapshot that somebody holds open for a minute while ${RUNS} runs are played`,
  (house) => {
    it('keeps what was taken in the index, and a claim hardly notices', async () => {
      const { sample, play } = await timedEngine(house());
      await play(3 * AT_ONCE);
      const { host, port, user, password, database } = house().backend!;
      const holder = new pg.Client({ host, port, user, password, database });
      await holder.connect();
      await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await holder.query('SELECT count(*) FROM durable_runs');
      const from = performance.now();
      const [first, firstWay] = await sample();
      await play(RUNS);
      // What has just been due is looked at; that is over by then.
      while (performance.now() - from < PINNED_MS) await sample();
      const [last, lastWay] = await sample();
      await holder.query('COMMIT');
      await holder.end();
      // What a machine that became slower does to any statement is not the snapshot's doing.
      const growth = last / first / Math.max(1, lastWay / firstWay);
      process.stdout.write(
        `${RUNS} runs and more under a snapshot pinned for ${PINNED_MS / 1_000} s: a claim takes ${first.toFixed(2)} ms before, ${last.toFixed(2)} ms after ` +
          `(SELECT 1: ${firstWay.toFixed(2)}, ${lastWay.toFixed(2)} ms): ${growth.toFixed(2)} times\n`,
      );
      expect(growth).toBeLessThan(1.5);
    });
  },
  { only: ({ db, orm }) => db === 'postgres' && orm === 'typeorm' },
);
