import type { JsonColumn } from '../../sql/dialect.js';
import { planned } from '../../sql/key-list.js';
import { id, join, sql, type Statement } from '../../sql/statement.js';
import type { Scope } from '../tables/run.sql.js';

/** Runs of one line and one priority, whose turns lie in `[first, end)`. */
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
 * Where each line stands: the last turn that waits in it, and the turn of whoever is next in the whole workflow. Two
 * probes of an index each; nothing is locked, so two that ask at once may get one turn.
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
  if (dialect.family === 'mysql') {
    const one = (key: KeyTurns) => sql`SELECT ${key.nth} AS nth, ${probes(valuesOf(key))}`;
    return join(keys.map(one), ' UNION ALL ');
  }
  const named = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, sql`t.${id(name)}`]));
  return sql`SELECT t.nth, ${probes(named as Record<keyof KeyTurns, Statement>)}
  FROM ${dialect.rows(JSON.stringify(keys), COLUMNS)} AS t CROSS JOIN ${planned}`;
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
