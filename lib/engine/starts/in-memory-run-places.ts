import { heldRun } from './in-memory-new-run.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { endOfPlaces, firstPlace, standsInLine } from '../model/limit-requests.js';
import type { NewRun } from '../model/run.js';

/** A new run, with its place if it stands in line. */
export function placedRun(tables: MemoryTables, run: NewRun, now: number): HeldRun {
  const held = heldRun(run, now);
  return standsInLine(run) ? { ...held, place: placeOf(tables, run), wakeAt: held.deadline } : held;
}

/** Behind all of its key, and not before the place whose turn it is. */
function placeOf({ runs }: MemoryTables, { namespace, workflow, version, limiter, priority }: NewRun): number {
  const [first, end] = [firstPlace(priority), endOfPlaces(priority)];
  const waiting = [...runs.values()].flatMap((run) =>
    run.place !== null && run.place >= first && run.place < end ? [{ run, place: run.place }] : [],
  );
  const ofLimiter = waiting.filter(({ run }) => run.limiter?.limiter === limiter?.limiter).map(({ place }) => place);
  const ofWorkflow = waiting
    .filter(({ run }) => run.namespace === namespace && run.workflow === workflow && run.version === version)
    .map(({ place }) => place);
  const head = ofWorkflow.reduce((least, place) => Math.min(least, place), Number.POSITIVE_INFINITY);
  const last = ofLimiter.reduce((most, place) => Math.max(most, place), first);
  return Math.max(last, head === Number.POSITIVE_INFINITY ? first : head) + 1;
}
