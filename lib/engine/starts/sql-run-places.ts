import type { SqlConnection } from '../../sql/sql-executor.js';
import { selectTurns, type Turn } from './place.sql.js';
import { endOfPlaces, firstPlace, standsInLine } from '../model/limit-requests.js';
import type { NewRun } from '../model/run.js';
import type { PlacedRun, Scope } from '../tables/run.sql.js';

interface TurnRow {
  nth: number | string;
  last_place: number | string | null;
  head_place: number | string | null;
}

/** Lines that one statement asks for. */
const CHUNK = 100;

/**
 * Gives those that stand in line their places: behind all of their key, and not before the place whose turn it is, so
 * that keys take turns however many of one key wait.
 */
export async function placed(db: SqlConnection, scope: Scope, runs: readonly NewRun[]): Promise<readonly PlacedRun[]> {
  if (!runs.some(standsInLine)) return runs;
  const turns = new Map<string, Turn>();
  for (const run of runs.filter(standsInLine))
    if (!turns.has(lineOf(run))) turns.set(lineOf(run), turnOf(run, turns.size));
  const asked = [...turns.values()];
  const next = new Map<number, number>();
  for (let from = 0; from < asked.length; from += CHUNK) {
    const { rows } = await db.run<TurnRow>(selectTurns(scope, asked.slice(from, from + CHUNK)));
    for (const { nth, last_place, head_place } of rows) {
      const { first } = asked[Number(nth)]!;
      next.set(Number(nth), Math.max(Number(last_place ?? first), Number(head_place ?? first)) + 1);
    }
  }
  return runs.map((run) => {
    if (!standsInLine(run)) return run;
    const { nth, first } = turns.get(lineOf(run))!;
    const place = next.get(nth) ?? first + 1;
    next.set(nth, place + 1);
    return { ...run, place };
  });
}

const lineOf = ({ limiter, priority, version }: NewRun): string => `${priority}/${version}/${limiter?.limiter}`;

const turnOf = ({ namespace, workflow, version, limiter, priority }: NewRun, nth: number): Turn => ({
  ...{ nth, namespace, workflow, version, limiter: limiter!.limiter },
  ...{ first: firstPlace(priority), end: endOfPlaces(priority) },
});
