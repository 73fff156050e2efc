import { onPostgres } from '../server.js';
import type { Curve, Point } from './curve.js';
import { type Ground, on } from './ground.js';

/** Somebody's transaction keeps PostgreSQL from removing what is deleted: a report, a backup, a forgotten session. */
export function pinnedSnapshot(ground: Ground): Promise<Curve[]> {
  const { ms, pinnedMs } = ground.scale;
  return on(ground, undefined, async (system) => {
    const began = performance.now();
    const points: Point[] = [];
    const look = async (pinned = 0) => {
      const load = await system.load('remote', { atOnce: 20, ms });
      points.push({ x: (performance.now() - began) / 1_000, values: { ...load, 'snapshot is held': pinned } });
    };
    await system.load('remote', { atOnce: 20, ms });
    await look();
    await onPostgres(system.address, async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await client.query('SELECT count(*) FROM durable_runs');
      const over = performance.now() + pinnedMs;
      while (performance.now() < over) await look(1);
      await client.query('COMMIT');
    });
    // Behind the release: at once, and once what is dead has been removed.
    await look();
    await system.query('VACUUM');
    await look();
    return [{ name: `a snapshot pinned for ${pinnedMs / 1_000} s`, along: 'seconds', points, timeline: true }];
  });
}
