import type { SqlConnection } from '../../sql/sql-executor.js';
import { selectLastTurns, type KeyTurns } from './turn.sql.js';
import { endOfTurns, firstTurn, needsTurn } from '../model/limit-requests.js';
import type { NewRun } from '../model/run.js';
import type { RunWithTurn, Scope } from '../tables/run.sql.js';

interface LastTurnsRow {
  nth: number | string;
  last_turn: number | string | null;
  head_turn: number | string | null;
}

/** Lines that one statement asks for. */
const CHUNK = 100;

/**
 * Gives those that wait for their turn their turns: behind all of their key, and not before the turn of whoever is next, so
 * that keys take turns however many of one key wait.
 */
export async function withTurns(
  db: SqlConnection,
  scope: Scope,
  runs: readonly NewRun[],
): Promise<readonly RunWithTurn[]> {
  if (!runs.some(needsTurn)) return runs;
  const keys = new Map<string, KeyTurns>();
  for (const run of runs.filter(needsTurn)) if (!keys.has(keyOf(run))) keys.set(keyOf(run), keyTurnsOf(run, keys.size));
  const asked = [...keys.values()];
  const next = new Map<number, number>();
  for (let from = 0; from < asked.length; from += CHUNK) {
    const { rows } = await db.run<LastTurnsRow>(selectLastTurns(scope, asked.slice(from, from + CHUNK)));
    for (const { nth, last_turn, head_turn } of rows) {
      const { first } = asked[Number(nth)]!;
      next.set(Number(nth), Math.max(Number(last_turn ?? first), Number(head_turn ?? first)) + 1);
    }
  }
  return runs.map((run) => {
    if (!needsTurn(run)) return run;
    const { nth, first } = keys.get(keyOf(run))!;
    const turn = next.get(nth) ?? first + 1;
    next.set(nth, turn + 1);
    return { ...run, turn };
  });
}

const keyOf = ({ limiter, priority, version }: NewRun): string => `${priority}/${version}/${limiter?.limiter}`;

const keyTurnsOf = ({ namespace, workflow, version, limiter, priority }: NewRun, nth: number): KeyTurns => ({
  ...{ nth, namespace, workflow, version, limiter: limiter!.limiter },
  ...{ first: firstTurn(priority), end: endOfTurns(priority) },
});
