import { amongKeys, amongNumbers } from '../sql/dialects/key-list.js';
import { id, int, raw, sql, type Statement } from '../sql/dialects/statement.js';
import { nextMoments } from '../sql/moments.js';
import { nowOf, onceNow, type Scope } from '../sql/tables.js';
import { type MomentQuery, STAGE, WHAT } from '../protocol/moment.js';
import type { ActKind, NewAct } from './act.js';
import type { ActTarget } from './act-log.js';

type Int = number | string;

export interface ActRow {
  id: Int;
  at: Int;
  actor: string;
  reason: string | null;
  action: string;
  kind: ActKind;
  target: string;
  namespace: string | null;
  details: string;
  outcome: string;
}

const COLUMNS = {
  ...({ actor: 'text', reason: 'text', action: 'text', kind: 'text', target: 'text', namespace: 'text' } as const),
  ...({ details: 'text', outcome: 'text', ordinal: 'int' } as const),
};
const NAMES = raw('actor, reason, action, kind, target, namespace, details, outcome');

/** Inserts acts in the given order. */
export function insertActs(scope: Scope, acts: readonly NewAct[]): Statement {
  const { tables, dialect } = scope;
  const rows = acts.map((act, ordinal) => ({ ...act, details: JSON.stringify(act.details), ordinal }));
  return sql`
  INSERT INTO ${tables.acts} (${NAMES}, ${id('at')})
  SELECT ${NAMES}, ${nowOf(scope)} FROM ${dialect.rows(JSON.stringify(rows), COLUMNS)} AS n ORDER BY n.ordinal`;
}

/** The next acts on these things, found by the index of targets. */
export function selectActsOf(
  { tables, dialect }: Scope,
  namespace: string,
  targets: readonly ActTarget[],
  next: Omit<MomentQuery, 'runIds'>,
): Statement {
  const among = dialect.rows(JSON.stringify(targets), { kind: 'key', target: 'text', run: 'int' });
  const columns = raw('a.actor, a.reason, a.action, a.kind, a.target, a.namespace, a.details, a.outcome');
  const branches = sql`SELECT a.${id('at')} AS moment, f.run, ${int(STAGE.first)} AS stage, ${int(WHAT.act)} AS what, a.id AS item, ${columns}
    FROM ${tables.acts} AS a JOIN f ON f.kind = a.kind AND f.target = a.target
    WHERE a.kind ${amongKeys(dialect, [...new Set(targets.map(({ kind }) => kind))])} AND a.target ${amongKeys(dialect, [...new Set(targets.map(({ target }) => target))])}
      AND (a.namespace = ${namespace} OR a.namespace IS NULL)`;
  return nextMoments(dialect, { among, branches, items: 'bigint', ...next });
}

export const selectOldActs = (scope: Scope, olderThanMs: number, limit: number): Statement => sql`
  SELECT id FROM ${scope.tables.acts} WHERE ${id('at')} <= ${onceNow(scope)} - ${olderThanMs} ORDER BY ${id('at')} LIMIT ${limit}`;

export const deleteActs = ({ tables, dialect }: Scope, ids: readonly Int[]): Statement =>
  sql`DELETE FROM ${tables.acts} WHERE id ${amongNumbers(dialect, ids)}`;

export const eraseDetails = ({ tables, dialect }: Scope, kind: ActKind, targets: readonly string[]): Statement => sql`
  UPDATE ${tables.acts} SET details = '{}'
  WHERE kind = ${kind} AND target ${amongKeys(dialect, targets)} AND details <> '{}'`;
