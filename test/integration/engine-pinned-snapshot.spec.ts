import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { WorkflowContext } from '../../lib/engine/workflow-context.js';
import { raw } from '../../lib/sql/statement.js';
import { describeSqlHouses } from '../support/processes.js';

const PINNED_MS = 60_000;
const PART_MS = 12_000;
/**
 * A start every so many ms, so that the last part does the work of the first. A claim walks over the index entries of
 * what was taken since the snapshot, about 0.1 ms for 1,000 runs: at many times this rate it would be more than twice.
 */
const EVERY_MS = 10;

interface Timed {
  at: number;
  ms: number;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The median at the beginning and at the end. */
const parts = (timed: readonly Timed[], from: number): [first: number, last: number] => [
  median(timed.filter(({ at }) => at >= from && at < from + PART_MS).map(({ ms }) => ms)),
  median(timed.filter(({ at }) => at >= from + PINNED_MS - PART_MS).map(({ ms }) => ms)),
];

const order = async (ctx: WorkflowContext, n: number) => {
  await ctx.step('a', () => n);
  await ctx.sleep('nap', 5);
  return ctx.step('b', () => n + 1);
};

describeSqlHouses(
  'a snapshot that somebody holds open for a minute, with 100 runs per second',
  (house) => {
    it('keeps dead rows from being cleaned, and the claim is at most twice as slow for it', async () => {
      const claims: Timed[] = [];
      const ways: Timed[] = [];
      const calls = new Map<unknown, number>();
      const engine = await house().boot({
        workflows: { order },
        hooks: {
          before: (call, args) => void (call === 'store.claim' && calls.set(args, performance.now())),
          after: (call, args) => {
            const at = calls.get(args);
            if (call === 'store.claim') claims.push({ at: at!, ms: performance.now() - at! });
            calls.delete(args);
          },
        },
      });
      const work = async (ms: number) => {
        const pending: Promise<unknown>[] = [];
        for (const end = performance.now() + ms; performance.now() < end; await pause(EVERY_MS)) {
          pending.push(engine.client.startAndWait('order', 1, { timeout: '30s' }));
          if (pending.length % 10 > 0) continue;
          const at = performance.now();
          await engine.storage.executor!.run(raw('SELECT 1 AS one'));
          ways.push({ at, ms: performance.now() - at });
        }
        return Promise.all(pending);
      };
      await work(3_000);
      const { host, port, user, password, database } = house().backend!;
      const holder = new pg.Client({ host, port, user, password, database });
      await holder.connect();
      await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await holder.query('SELECT count(*) FROM durable_runs');
      const from = performance.now();
      const runs = (await work(PINNED_MS)).length;
      await holder.query('COMMIT');
      await holder.end();
      const [first, last] = parts(claims, from);
      const [firstWay, lastWay] = parts(ways, from);
      // What a machine that became slower does to any statement is not the snapshot's doing.
      const growth = last / first / Math.max(1, lastWay / firstWay);
      process.stdout.write(
        `a snapshot pinned for ${PINNED_MS / 1_000} s under ${runs} runs: ${claims.length} claims, median ` +
          `${first.toFixed(2)} ms at first, ${last.toFixed(2)} ms at last (SELECT 1: ${firstWay.toFixed(2)}, ` +
          `${lastWay.toFixed(2)} ms): ${growth.toFixed(2)} times\n`,
      );
      expect(growth).toBeLessThan(2);
    }, 120_000);
  },
  { only: ({ db, orm }) => db === 'postgres' && orm === 'typeorm' },
);
