import type { Begin } from '../app/ledger.js';
import { LEASE_MS } from '../lease.js';
import { grouped } from '../grouped.js';
import type { Evidence } from './evidence.js';
import type { Trouble, Violation } from './violation.js';

/** For so long after a trouble a step that began in it may still be the work of a process that does not know. */
const AFTERMATH_MS = 2 * LEASE_MS;

/** Every replay sees what is recorded, and what is recorded is not done again. */
export function checkBodies({ begun }: Evidence, troubles: readonly Trouble[]): Violation[] {
  const byRun = grouped(begun, ({ run }) => run);
  return [...byRun].flatMap(([run, bodies]) => [...differentPasts(run, bodies), ...doneAgain(run, bodies, troubles)]);
}

/** Two executions that were told different outcomes of the same step. */
function differentPasts(run: string, bodies: readonly Begin[]): Violation[] {
  const outcomes = new Map<string, string>();
  const found: Violation[] = [];
  for (const { saw, label, at } of bodies) {
    for (const [step, exec] of Object.entries(saw)) {
      const known = outcomes.get(step);
      if (known !== undefined && known !== exec)
        found.push({ run, at, text: `run ${run}: ${label} was told ${exec} of ${step}, and another body ${known}` });
      outcomes.set(step, exec);
    }
  }
  return found;
}

/** A step that began although another body had been told its outcome before. */
function doneAgain(run: string, bodies: readonly Begin[], troubles: readonly Trouble[]): Violation[] {
  const toldAt = new Map<string, number>();
  for (const { saw, at } of bodies) for (const step of Object.keys(saw)) if (!toldAt.has(step)) toldAt.set(step, at);
  return bodies
    .filter((body) => body.at > (toldAt.get(body.label) ?? Number.POSITIVE_INFINITY))
    .filter((body) => !isExcused(body, troubles))
    .map(({ label, by, at }) => ({
      run,
      at,
      text: `run ${run}: ${by} began ${label} again, whose outcome another body had been told before`,
    }));
}

/** A process that was cut off or stood still may begin what it had decided upon before. */
const isExcused = ({ at, pid }: Begin, troubles: readonly Trouble[]): boolean =>
  troubles.some(({ from, to, pids }) => from <= at && at <= to + AFTERMATH_MS && (pids?.has(pid) ?? true));
