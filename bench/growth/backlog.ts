import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../numbers.js';
import type { Curve, Point } from './curve.js';
import { type Ground, on, type System, until, WARM } from './ground.js';

/** Tasks of a group, as an engine writes them, an hour old. */
const fill = (system: System, group: string, count: number) =>
  system.query(
    `INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
     SELECT $1 || '-' || i || ':1', $1 || '-' || i, 1, $1, $1, '1', 1, 'pending',
            (extract(epoch FROM now()) * 1000)::bigint - 3600000 + i
     FROM generate_series(1, $2::int) AS i`,
    [group, count],
  );

/** Tasks that nobody takes, beside the steps of others; no statistics are gathered but by autovacuum. */
async function besideOthers(ground: Ground): Promise<Curve> {
  const points: Point[] = [];
  for (const x of [0, ...ground.scale.rows])
    points.push(
      await on(ground, undefined, async (system) => {
        await system.engine.ask('sequence', { steps: WARM });
        if (x > 0) await fill(system, 'nobody', x);
        const { answer: times, cost } = await system.costOf(() =>
          system.engine.ask<number[]>('sequence', { steps: 200 }),
        );
        return {
          x,
          values: {
            'p50 of a step, ms': percentile(times, 0.5),
            'server CPU per step, ms': cost.serverMs / times.length,
            ...(await system.idle(ground.scale.ms)),
          },
        };
      }),
    );
  return { name: 'a backlog of others', along: 'tasks', points };
}

/** A backlog that a worker drains, for a while; no engine collects the answers. */
async function drained(ground: Ground): Promise<Curve> {
  const points: Point[] = [];
  for (const x of ground.scale.rows)
    points.push(
      await on(ground, [], async (system) => {
        await fill(system, 'bench.add', x);
        const answers = async () => {
          const [row] = await system.query<{ n: string }>('SELECT count(*) AS n FROM durable_transport_results');
          return Number(row!.n);
        };
        await system.start({ role: 'worker' });
        await until('the first answer', async () => (await answers()) > 0);
        const before = await answers();
        const { cost } = await system.costOf(() => pause(ground.scale.ms));
        const after = await answers();
        const done = after - before;
        // Who has nothing left to do does not show how fast it is.
        if (after >= x) return { x, values: {} };
        return {
          x,
          values: {
            'done per second': (done / ground.scale.ms) * 1_000,
            'app CPU of each, ms': cost.appMs / done,
            'server CPU of each, ms': cost.serverMs / done,
          },
        };
      }),
    );
  return { name: 'a backlog of our own', along: 'tasks', points };
}

export const backlog = async (ground: Ground): Promise<Curve[]> => [await besideOthers(ground), await drained(ground)];
