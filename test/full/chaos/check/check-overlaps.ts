import type { Begin } from '../app/ledger.js';
import { LEASE_MS } from '../lease.js';
import { grouped } from '../grouped.js';
import type { Evidence } from './evidence.js';
import type { Trouble, Violation } from './violation.js';

/** A lease lapses, and is found, so long after the trouble at the latest. */
const AFTERMATH_MS = 3 * LEASE_MS;

/** The same step is under way twice only where somebody's lease may have been lost. */
export function checkOverlaps({ begun, ended }: Evidence, troubles: readonly Trouble[]): Violation[] {
  const byStep = grouped(begun, ({ run, label }) => `${run}: ${label}`);
  return [...byStep].flatMap(([step, bodies]) =>
    bodies.flatMap((later, i) => {
      const earlier = bodies[i - 1];
      if (!earlier || !overlap(earlier, later, ended) || isExcused(earlier, later, troubles)) return [];
      const text = `run ${step} was begun by ${later.by} while ${earlier.by} was still at it, and nothing was wrong`;
      return [{ run: later.run, at: later.at, text }];
    }),
  );
}

/** One that never ended was cut off: nobody knows when. */
const overlap = ({ exec }: Begin, later: Begin, ended: ReadonlyMap<string, number>): boolean =>
  later.at < (ended.get(exec) ?? Number.NEGATIVE_INFINITY);

const isExcused = (earlier: Begin, later: Begin, troubles: readonly Trouble[]): boolean =>
  troubles.some(
    ({ from, to, pids }) =>
      from <= later.at &&
      later.at <= to + AFTERMATH_MS &&
      (pids === undefined || pids.has(earlier.pid) || pids.has(later.pid)),
  );
