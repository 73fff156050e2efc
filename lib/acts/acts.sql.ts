import { type MomentQuery, STAGE, WHAT } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { amongKeys, byFamily, deleteByNumbers } from '../sql/dialects.js';
import { inTransaction, sqlTransaction } from '../sql/executor.js';
import { id, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { momentOf, type MomentRow, nextMoments, nowOf, onceNow, type Scope, TablesAdapter } from '../sql/tables.js';
import {
  type Act,
  ACT_KINDS,
  type ActInStory,
  type ActKind,
  type ActLog,
  type ActTarget,
  type ListActs,
  type ListedActs,
  type NewAct,
} from './acts.js';

/** Acts recorded at once have ids in another order than times, but never so far apart. */
const ASKEW = 1_000n;

/** Acts in the app's database. */
export class SqlActLog extends TablesAdapter implements ActLog {
  within<T>(tx: Transaction | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.db, tx, work);
  }

  async record(acts: readonly NewAct[], tx: Transaction): Promise<void> {
    if (acts.length > 0) await sqlTransaction(tx).run(insertActs(this.scope, acts));
  }

  async list(query: ListActs): Promise<ListedActs> {
    const range = await this.rangeOf(query);
    if (range === undefined) return { acts: [] };
    // First, so that what is recorded meanwhile only makes the next page repeat what has not matched.
    const end = await this.idOf(selectScanEnd(this.scope, query, range));
    const page = { ...query, limit: query.limit + 1 };
    const { rows } = await this.db.run<ActRow>(
      selectActs(this.scope, page, end === undefined ? range : { ...range, from: end }),
    );
    const acts = rows.slice(0, query.limit).map(actOf);
    const next = rows.length > acts.length ? acts.at(-1)!.id : end;
    return { acts, ...(next !== undefined && { next }) };
  }

  /** The ids between which acts of these times are; undefined: there are none. */
  private async rangeOf({ since, until, before }: ListActs): Promise<IdRange | undefined> {
    const first = since === undefined ? '0' : await this.idOf(selectFirstSince(this.scope, since));
    const last = until === undefined ? undefined : await this.idOf(selectLastBefore(this.scope, until));
    if (first === undefined || (until !== undefined && last === undefined)) return undefined;
    const ends = [before, last === undefined ? undefined : String(BigInt(last) + ASKEW)].filter(
      (end) => end !== undefined,
    );
    return {
      from: since === undefined ? undefined : String(BigInt(first) - ASKEW),
      before: ends.reduce<string | undefined>((a, b) => (a !== undefined && BigInt(a) < BigInt(b) ? a : b), undefined),
    };
  }

  private async idOf(statement: Statement): Promise<string | undefined> {
    const [row] = (await this.db.run<Pick<ActRow, 'id'>>(statement)).rows;
    return row && String(row.id);
  }

  async story(
    namespace: string,
    targets: readonly ActTarget[],
    query: Omit<MomentQuery, 'runIds'>,
  ): Promise<ActInStory[]> {
    type Row = MomentRow & Omit<ActRow, 'id' | 'at'>;
    const { rows } = await this.db.run<Row>(selectActsOf(this.scope, namespace, targets, query));
    return rows.map(({ moment: at, run, stage, what, item: id, ...row }) => ({
      moment: momentOf({ moment: at, run, stage, what, item: id }),
      act: actOf({ ...row, id, at }),
    }));
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { rows } = await this.db.run<Pick<ActRow, 'id'>>(selectOldActs(this.scope, olderThanMs, limit));
    const ids = rows.map(({ id }) => id);
    return ids.length === 0 ? 0 : (await this.db.run(deleteActs(this.scope, ids))).affected;
  }

  async forget(kind: ActKind, targets: readonly string[]): Promise<number> {
    return targets.length === 0 ? 0 : (await this.db.run(eraseDetails(this.scope, kind, targets))).affected;
  }
}

const actOf = ({ id, at, details, ...row }: ActRow): Act => ({
  id: String(id),
  at: new Date(Number(at)),
  ...row,
  details: JSON.parse(details) as Act['details'],
});

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
  SELECT ${NAMES}, ${nowOf(scope)} FROM ${dialect.rows(rows, COLUMNS)} AS n ORDER BY n.ordinal`;
}

/** The next acts on these things, found by the index of targets. */
export function selectActsOf(
  { tables, dialect }: Scope,
  namespace: string,
  targets: readonly ActTarget[],
  next: Omit<MomentQuery, 'runIds'>,
): Statement {
  const among = dialect.rows(targets, { kind: 'key', target: 'text', run: 'int' });
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
  deleteByNumbers(dialect, tables.acts, 'id', ids);

export const eraseDetails = ({ tables, dialect }: Scope, kind: ActKind, targets: readonly string[]): Statement => sql`
  UPDATE ${tables.acts} ${dialect.forceIndex(indexOf(tables.acts, 'target'))} SET details = '{}'
  WHERE kind = ${kind} AND target ${amongKeys(dialect, targets)} AND details <> '{}'`;

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
  const forced = index === undefined ? raw('') : dialect.forceIndex(indexOf(tables.acts, index));
  const number = (value: string) => dialect.cast(value, 'bigint');
  const range = sql`${before === undefined ? raw('') : sql` AND id < ${number(before)}`}${from === undefined ? raw('') : sql` AND id >= ${number(from)}`}`;
  const branches = conditions.map(
    (condition) => sql`
    (SELECT ${columns} FROM ${tables.acts} ${forced} WHERE ${condition}${range} ORDER BY id DESC LIMIT ${int(MOST_SCANNED)})`,
  );
  if (branches.length === 1) return sql`${branches[0]!}`;
  return sql`(SELECT u.* FROM (${join(branches, ' UNION ALL ')}) AS u ORDER BY u.id DESC LIMIT ${int(MOST_SCANNED)})`;
}

const LISTED = ['actor', 'reason', 'action', 'kind', 'target', 'namespace', 'details', 'outcome'];

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
    sql`${raw(`${alias}id, ${alias}`)}${id('at')}, ${raw(LISTED.map((name) => `${alias}${name}`).join(', '))}`;
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
