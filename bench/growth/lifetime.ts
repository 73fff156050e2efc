import type { AppConfig } from '../app/app.js';
import { median } from '../numbers.js';
import type { Spent } from '../lives.js';
import type { Curve, Point } from './curve.js';
import { type Ground, on } from './ground.js';

const ROLES: readonly AppConfig['role'][] = ['client', 'worker', 'engine', 'alone'];

/** From the start of a process to its app's, and back. */
export function coldStart(ground: Ground): Promise<Curve[]> {
  return on(ground, [], async (system) => {
    const values: Record<string, number> = {};
    for (const role of ROLES) {
      const [starts, stops, sizes]: [number[], number[], number[]] = [[], [], []];
      for (let i = 0; i < 5; i++) {
        const began = performance.now();
        await system.start({ role });
        starts.push(performance.now() - began);
        sizes.push((await system.memory()).residentMb);
        const stopped = performance.now();
        await system.stop();
        stops.push(performance.now() - stopped);
      }
      values[`${role}: start, ms`] = median(starts);
      values[`${role}: stop, ms`] = median(stops);
      values[`${role}: memory, MB`] = median(sizes);
    }
    return [{ name: 'cold start', along: 'processes', points: [{ x: 1, values }] }];
  });
}

const LOOKS = 40;
const AT_ONCE = 100;

/**
 * What a process holds and asks in the long run: as many steps as a busy day has, as fast as they go. Most are local,
 * some remote. What comes back by the clock, once an hour or a day, is not in it.
 */
export function lifetime(ground: Ground): Promise<Curve[]> {
  return on(ground, ['alone'], async (system) => {
    const points: Point[] = [];
    const load = async (kind: 'local' | 'remote', ms: number) =>
      system.engine.ask<Spent>('load', { kind, atOnce: AT_ONCE, ms });
    let steps = 0;
    while (steps < ground.scale.lifetime) {
      const part = ground.scale.lifetime / LOOKS;
      const { answer, cost } = await system.costOf(async () => {
        let [lives, ms] = [0, 0];
        while (lives * 10 < part) {
          for (const spent of [await load('local', ground.scale.ms), await load('remote', ground.scale.ms / 5)]) {
            lives += spent.lives;
            ms += spent.ms;
          }
          // Rows that have ended would fill the disk.
          await system.engine.ask('forget');
        }
        return { lives, ms };
      });
      steps += answer.lives * 10;
      const { heapMb, residentMb } = await system.memory();
      points.push({
        x: steps,
        values: {
          'heap, MB': heapMb,
          'resident memory, MB': residentMb,
          'steps per second': ((answer.lives * 10) / answer.ms) * 1_000,
          'statements per step': cost.statements / (answer.lives * 10),
        },
      });
    }
    return [{ name: 'in the long run', along: 'steps', points }];
  });
}
