import { byFamily } from '../sql/dialects/dialect.js';
import { id, int, join, raw, sql, type Statement } from '../sql/dialects/statement.js';
import type { Scope } from '../sql/tables.js';
import { ACT_KINDS } from './act.js';
import type { ListActs } from './act-log.js';

/** How many acts a page looks at: an index finds those of one filter, and the others may match none of them. */
export const MOST_SCANNED = 10_000;

/** Only acts with these ids: not before the first one, and before the second one. */
export interface IdRange {
  from?: string | undefined;
  before?: string | undefined;
}

interface Source {
  conditions: readonly Statement[];
  /** The index that has the acts of each condition in the order of ids. */
  index?: string;
}

function sourceOf({ kind, target, actor, action }: ListActs): Source {
  if (target !== undefined) {
    const kinds = kind === undefined ? ACT_KINDS : [kind];
    return { conditions: kinds.map((one) => sql`kind = ${one} AND target = ${target}`), index: 'target' };
  }
  if (actor !== undefined) return { conditions: [sql`actor = ${actor}`], index: 'actor' };
  if (action !== undefined) return { conditions: [sql`action = ${action}`], index: 'action' };
  return { conditions: [raw('1 = 1')] };
}

/** The newest acts of a source. */
function scan({ tables, dialect }: Scope, query: ListActs, { from, before }: IdRange, columns: Statement): Statement {
  const { conditions, index } = sourceOf(query);
  const forced = index === undefined ? raw('') : dialect.forceIndex(id(`${tables.prefix}_acts_${index}`));
  const number = (value: string) => dialect.cast(value, 'bigint');
  const range = sql`${before === undefined ? raw('') : sql` AND id < ${number(before)}`}${from === undefined ? raw('') : sql` AND id >= ${number(from)}`}`;
  const branches = conditions.map(
    (condition) => sql`
    (SELECT ${columns} FROM ${tables.acts} ${forced} WHERE ${condition}${range} ORDER BY id DESC LIMIT ${int(MOST_SCANNED)})`,
  );
  if (branches.length === 1) return sql`${branches[0]!}`;
  return sql`(SELECT u.* FROM (${join(branches, ' UNION ALL ')}) AS u ORDER BY u.id DESC LIMIT ${int(MOST_SCANNED)})`;
}

const NAMES = ['actor', 'reason', 'action', 'kind', 'target', 'namespace', 'details', 'outcome'];

export function selectActs(scope: Scope, query: ListActs, range: IdRange): Statement {
  const { namespace, kind, target, actor, action, since, until, limit } = query;
  const number = (value: number) => scope.dialect.cast(value, 'bigint');
  const wanted = [
    sql`(a.namespace = ${namespace} OR a.namespace IS NULL)`,
    kind !== undefined && sql`a.kind = ${kind}`,
    target !== undefined && sql`a.target = ${target}`,
    actor !== undefined && sql`a.actor = ${actor}`,
    action !== undefined && sql`a.action = ${action}`,
    since !== undefined && sql`a.${id('at')} >= ${number(since)}`,
    until !== undefined && sql`a.${id('at')} < ${number(until)}`,
  ].filter((condition) => condition !== false);
  const columns = (alias: string) =>
    sql`${raw(`${alias}id, ${alias}`)}${id('at')}, ${raw(NAMES.map((name) => `${alias}${name}`).join(', '))}`;
  // The MySQL family would put all that is scanned aside, with its details.
  const from = byFamily(scope.dialect, {
    postgres: () => sql`${scan(scope, query, range, columns(''))} AS a`,
    mysql: () =>
      sql`${scan(scope, query, range, raw('id'))} AS s STRAIGHT_JOIN ${scope.tables.acts} AS a ON a.id = s.id`,
  });
  const order = byFamily(scope.dialect, { postgres: () => raw('a.id'), mysql: () => raw('s.id') });
  return sql`
  SELECT ${columns('a.')} FROM ${from}
  WHERE ${join(wanted, ' AND ')} ORDER BY ${order} DESC LIMIT ${int(limit)}`;
}

/** The last act that a page looks at, if there are more behind it. */
export const selectScanEnd = (scope: Scope, query: ListActs, range: IdRange): Statement => sql`
  SELECT s.id FROM ${scan(scope, query, range, raw('id'))} AS s ORDER BY s.id DESC LIMIT 1 OFFSET ${int(MOST_SCANNED - 1)}`;

/** The first act since a time. */
export const selectFirstSince = ({ tables, dialect }: Scope, since: number): Statement => sql`
  SELECT id FROM ${tables.acts} WHERE ${id('at')} >= ${dialect.cast(since, 'bigint')} ORDER BY ${id('at')}, id LIMIT 1`;

/** The last act before a time. */
export const selectLastBefore = ({ tables, dialect }: Scope, until: number): Statement => sql`
  SELECT id FROM ${tables.acts} WHERE ${id('at')} < ${dialect.cast(until, 'bigint')} ORDER BY ${id('at')} DESC, id DESC LIMIT 1`;
