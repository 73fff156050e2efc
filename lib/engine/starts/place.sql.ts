import type { JsonColumn } from '../../sql/dialect.js';
import { planned } from '../../sql/key-list.js';
import { id, join, sql, type Statement } from '../../sql/statement.js';
import type { Scope } from '../tables/run.sql.js';

/** Runs of one line and one priority, whose places lie in `[first, end)`. */
export interface Turn {
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
} as const satisfies Record<keyof Turn, JsonColumn>;

/**
 * Where each line stands: the last place that waits in it, and the place whose turn it is in the whole workflow. Two
 * probes of an index each; nothing is locked, so two that ask at once may get one place.
 */
export const selectTurns = (scope: Scope, turns: readonly Turn[]): Statement => {
  const { tables, dialect } = scope;
  const probes = (turn: Record<keyof Turn, Statement>) => sql`
    (SELECT o.place FROM ${tables.runs} AS o WHERE o.limiter = ${turn.limiter} AND o.place >= ${turn.first} AND o.place < ${turn.end}
      ORDER BY o.place DESC LIMIT 1) AS last_place,
    (SELECT h.place FROM ${tables.runs} AS h
      WHERE h.namespace = ${turn.namespace} AND h.workflow = ${turn.workflow} AND h.version = ${turn.version}
        AND h.place >= ${turn.first} AND h.place < ${turn.end}
      ORDER BY h.place LIMIT 1) AS head_place`;
  if (dialect.family === 'mysql') {
    const one = (turn: Turn) => sql`SELECT ${turn.nth} AS nth, ${probes(valuesOf(turn))}`;
    return join(turns.map(one), ' UNION ALL ');
  }
  const named = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, sql`t.${id(name)}`]));
  return sql`SELECT t.nth, ${probes(named as Record<keyof Turn, Statement>)}
  FROM ${dialect.rows(JSON.stringify(turns), COLUMNS)} AS t CROSS JOIN ${planned}`;
};

const valuesOf = (turn: Turn): Record<keyof Turn, Statement> => ({
  nth: sql`${turn.nth}`,
  namespace: sql`${turn.namespace}`,
  workflow: sql`${turn.workflow}`,
  version: sql`${turn.version}`,
  limiter: sql`${turn.limiter}`,
  first: sql`${turn.first}`,
  end: sql`${turn.end}`,
});
