import { endOfTurns, firstTurn, needsTurn } from '../model/limit-requests.js';
import type { NewRun } from '../model/run.js';
import type { RunWithTurn } from '../tables/run.sql.js';
import { type JsonColumn, byFamily } from '../../sql/dialects/dialect.js';
import { planned } from '../../sql/dialects/key-list.js';
import { type Statement, id, join, sql } from '../../sql/dialects/statement.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';

/** Runs of one queue and one priority, whose turns lie in `[first, end)`. */
export interface KeyTurns {
  nth: number;
  namespace: string;
  workflow: string;
  version: number;
  limiter: string;
  first: number;
  end: number;
}

const COLUMNS = {
  nth: 'int',
  namespace: 'key',
  workflow: 'key',
  version: 'int',
  limiter: 'key',
  first: 'int',
  end: 'int',
} as const satisfies Record<keyof KeyTurns, JsonColumn>;

/**
 * The state of each queue: its last waiting turn, and the next turn of the whole workflow. Two index reads per queue.
 * Nothing is locked, so two concurrent callers may get the same turn.
 */
export const selectLastTurns = (scope: Scope, keys: readonly KeyTurns[]): Statement => {
  const { tables, dialect } = scope;
  const probes = (key: Record<keyof KeyTurns, Statement>) => sql`
    (SELECT o.turn FROM ${tables.runs} AS o WHERE o.limiter = ${key.limiter} AND o.turn >= ${key.first} AND o.turn < ${key.end}
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM ${tables.runs} AS h
      WHERE h.namespace = ${key.namespace} AND h.workflow = ${key.workflow} AND h.version = ${key.version}
        AND h.turn >= ${key.first} AND h.turn < ${key.end}
      ORDER BY h.turn LIMIT 1) AS head_turn`;
  const named = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, sql`t.${id(name)}`]));
  return byFamily(dialect, {
    postgres: () => sql`SELECT t.nth, ${probes(named as Record<keyof KeyTurns, Statement>)}
  FROM ${dialect.rows(JSON.stringify(keys), COLUMNS)} AS t CROSS JOIN ${planned}`,
    mysql: () =>
      join(
        keys.map((key) => sql`SELECT ${key.nth} AS nth, ${probes(valuesOf(key))}`),
        ' UNION ALL ',
      ),
  });
};

const valuesOf = (key: KeyTurns): Record<keyof KeyTurns, Statement> => ({
  nth: sql`${key.nth}`,
  namespace: sql`${key.namespace}`,
  workflow: sql`${key.workflow}`,
  version: sql`${key.version}`,
  limiter: sql`${key.limiter}`,
  first: sql`${key.first}`,
  end: sql`${key.end}`,
});

interface LastTurnsRow {
  nth: number | string;
  last_turn: number | string | null;
  head_turn: number | string | null;
}

/** How many queues one statement reads. */
const CHUNK = 100;

/**
 * Assigns turns to the runs that need one: after all runs of their key, and after the next turn of the workflow, so
 * that keys alternate no matter how many runs of one key wait.
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
  nth,
  namespace,
  workflow,
  version,
  limiter: limiter!.limiter,
  first: firstTurn(priority),
  end: endOfTurns(priority),
});
