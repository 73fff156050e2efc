import { median } from '../numbers.js';
import type { Curve, Point } from './curve.js';
import { type Ground, on } from './ground.js';

/** In all, whoever has them. */
const AT_ONCE = 160;
/** Steps of a run that is alone. */
const ALONE = 40;

/** Engines, and as many workers, that share one load. */
export async function processes(ground: Ground): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const kind of ['local', 'remote'] as const) {
    const points: Point[] = [];
    for (const x of ground.scale.processes)
      points.push(
        await on(ground, [], async (system) => {
          for (let i = 0; i < x; i++) await system.start({ role: 'worker' });
          for (let i = 0; i < x; i++) await system.start({ role: 'engine' });
          const engines = system.apps.slice(x);
          await system.load(kind, { atOnce: 10 * x, ms: ground.scale.ms / 4 }, engines);
          await system.tidy();
          const load = await system.load(kind, { atOnce: AT_ONCE, ms: ground.scale.ms }, engines);
          // From outside: any of the engines may play it.
          const times: number[] = [];
          for (let i = 0; i < 3; i++)
            times.push(await system.engine.ask<number>('run', { workflow: `bench.${kind}`, input: { steps: ALONE } }));
          return {
            x,
            values: {
              ...load,
              'one step at a time, ms': median(times) / ALONE,
              ...(await system.idle(ground.scale.ms)),
            },
          };
        }),
      );
    curves.push({ name: `engines and workers, ${kind}`, along: 'of each', points });
  }
  return curves;
}
