import { heldRun } from './in-memory-new-run.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { endOfTurns, firstTurn, needsTurn } from '../model/limit-requests.js';
import type { NewRun } from '../model/run.js';

/** A new run, with its turn if it waits for its turn. */
export function runWithTurn(tables: MemoryTables, run: NewRun, now: number): HeldRun {
  const held = heldRun(run, now);
  return needsTurn(run) ? { ...held, turn: turnOf(tables, run), wakeAt: held.deadline } : held;
}

/** Behind all of its key, and not before the turn of whoever is next. */
function turnOf({ runs }: MemoryTables, { namespace, workflow, version, limiter, priority }: NewRun): number {
  const [first, end] = [firstTurn(priority), endOfTurns(priority)];
  const waiting = [...runs.values()].flatMap((run) =>
    run.turn !== null && run.turn >= first && run.turn < end ? [{ run, turn: run.turn }] : [],
  );
  const ofLimiter = waiting.filter(({ run }) => run.limiter?.limiter === limiter?.limiter).map(({ turn }) => turn);
  const ofWorkflow = waiting
    .filter(({ run }) => run.namespace === namespace && run.workflow === workflow && run.version === version)
    .map(({ turn }) => turn);
  const head = ofWorkflow.reduce((least, turn) => Math.min(least, turn), Number.POSITIVE_INFINITY);
  const last = ofLimiter.reduce((most, turn) => Math.max(most, turn), first);
  return Math.max(last, head === Number.POSITIVE_INFINITY ? first : head) + 1;
}
