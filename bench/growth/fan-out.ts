import { median } from '../numbers.js';
import type { Curve, Point } from './curve.js';
import { type Ground, LEAST, on, repeated, WARM } from './ground.js';
import type { FanOut } from './workflows.js';

/** One run that begins many children, or remote steps, at once, and waits for all. */
export async function fanOut(ground: Ground): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const what of ['children', 'steps'] as const) {
    const points: Point[] = [];
    for (const x of ground.scale.history)
      points.push(
        await on(ground, undefined, async (system) => {
          const run = (width: number) =>
            system.engine.ask<number>('run', {
              workflow: 'bench.fan-out',
              input: { width, what } satisfies FanOut,
            });
          await run(WARM);
          await system.tidy();
          const { answer: times, cost } = await system.costOf(() => repeated(LEAST, x, () => run(x)));
          const counted = times.length * x;
          return {
            x,
            values: {
              'in all, ms': median(times),
              'each, ms': median(times) / x,
              'app CPU of each, ms': cost.appMs / counted,
              'server CPU of each, ms': cost.serverMs / counted,
              'statements of each': cost.statements / counted,
              'most memory of the engine, MB': (await system.memory()).peakMb,
            },
          };
        }),
      );
    curves.push({ name: `fan-out to ${what}`, along: what, points });
  }
  return curves;
}
