import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { Scope } from '../../sql/tables.js';
import { holdAttribute } from '../model/attributes.js';
import type { AttributeFilter, ListRuns, WaitsFor } from '../model/run-insight.js';
import { BLOCK_REASONS } from '../model/run.js';

/** The column of the time by which a list is ordered. */
export const timeOf = ({ order }: ListRuns): 'finished_at' | 'created_at' =>
  order === 'ended' ? 'finished_at' : 'created_at';

const SET_BACK_MS = 60_000;

/**
 * The part of the order's index that is read: every row in it is looked at, so no other column may be in here. No run
 * ended before it was created, but for clocks that a failover set back: for these there is a minute. The first condition of a position is redundant, but an index can use it.
 */
export const rangeOf = (query: ListRuns): Statement => {
  const { past, createdFrom, endedBefore, order = 'newest' } = query;
  const [than, orLike] = order === 'oldest' ? [raw('>'), raw('>=')] : [raw('<'), raw('<=')];
  const at = raw(`r.${timeOf(query)}`);
  const conditions = [
    ...(past ? [sql`${at} ${orLike} ${past.at} AND (${at} ${than} ${past.at} OR r.id ${than} ${past.id})`] : []),
    ...(order === 'ended' ? [raw('r.finished_at IS NOT NULL'), ...endedIn(query, 'r')] : createdIn(query)),
    ...(order === 'ended' && createdFrom !== undefined ? [sql`${at} >= ${createdFrom - SET_BACK_MS}`] : []),
    ...(order !== 'ended' && endedBefore !== undefined ? [sql`${at} < ${endedBefore + SET_BACK_MS}`] : []),
  ];
  return conditions.length === 0 ? raw('1 = 1') : join(conditions, ' AND ');
};

const createdIn = ({ createdFrom, createdBefore }: ListRuns): Statement[] => [
  ...(createdFrom === undefined ? [] : [sql`r.created_at >= ${createdFrom}`]),
  ...(createdBefore === undefined ? [] : [sql`r.created_at < ${createdBefore}`]),
];

export const endedIn = ({ endedFrom, endedBefore }: ListRuns, alias: string): Statement[] => [
  ...(endedFrom === undefined ? [] : [sql`${raw(alias)}.finished_at >= ${endedFrom}`]),
  ...(endedBefore === undefined ? [] : [sql`${raw(alias)}.finished_at < ${endedBefore}`]),
];

export const beginsWith = (alias: string, prefix: string): Statement => {
  const end = after(prefix);
  const from = sql`${raw(alias)}.id >= ${prefix}`;
  return end === undefined ? from : sql`${from} AND ${raw(alias)}.id < ${end}`;
};

/** The first text, by its code points as all keys are ordered, that is after all that begin with `prefix`. */
function after(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = last.codePointAt(0)! + 1;
    // Surrogates are no characters.
    if (next <= 0x10ffff) return points.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return undefined;
}

export const filterOf = (scope: Scope, query: ListRuns): Statement => {
  const { tables } = scope;
  const { namespace, status, reason, blocked, workflow, version, attributes = [], parentId, scheduleId } = query;
  const { waitsFor, idPrefix, order } = query;
  // Not EXISTS: PostgreSQL may then read all runs with the attribute, before it looks at the first of a page.
  const has = (filter: AttributeFilter) =>
    sql`(SELECT 1 FROM ${tables.attributes} AS a WHERE a.run_id = r.id AND ${fits(filter)} LIMIT 1) = 1`;
  const conditions = [
    sql`r.namespace = ${namespace}`,
    ...(order === 'ended' ? createdIn(query) : endedIn(query, 'r')),
    ...(status ? [among('status', status)] : []),
    ...(reason ? [among('reason', reason)] : []),
    ...(blocked ? [among('reason', BLOCK_REASONS)] : []),
    ...(workflow === undefined ? [] : [sql`r.workflow = ${workflow}`]),
    ...(version === undefined ? [] : [sql`r.version = ${version}`]),
    ...(parentId === undefined ? [] : [sql`r.parent_id = ${parentId}`]),
    ...(scheduleId === undefined ? [] : [sql`r.schedule_id = ${scheduleId}`]),
    ...(idPrefix === undefined ? [] : [beginsWith('r', idPrefix)]),
    ...attributes.map(has),
    ...(waitsFor ? [waits(scope, waitsFor)] : []),
  ];
  return join(conditions, ' AND ');
};

const among = (column: string, values: readonly string[]): Statement =>
  values.length === 0 ? raw('1 = 0') : sql`r.${id(column)} IN (${join(values)})`;

const OPEN: Readonly<Partial<Record<WaitsFor, string>>> = {
  task: `s.kind = 'remote' AND s.wake_at IS NULL`,
  retry: `s.kind NOT IN ('sleep', 'signal', 'child', 'marker') AND s.wake_at IS NOT NULL`,
  timer: `s.kind = 'sleep'`,
  signal: `s.kind = 'signal'`,
  child: `s.kind = 'child'`,
};

/** By its steps without an outcome, if it has not ended. */
function waits({ tables, dialect }: Scope, waitsFor: readonly WaitsFor[]): Statement {
  const ofRun = dialect.forceIndex(id(`${tables.limiterEntries.name}_run`));
  const steps = waitsFor.flatMap((one) => OPEN[one] ?? []).map((kind) => `(${kind})`);
  const conditions = [
    ...(waitsFor.includes('run') ? [raw(`r.reason = 'waiting_for_runs'`)] : []),
    ...(waitsFor.includes('limiter')
      ? [
          sql`(SELECT 1 FROM ${tables.limiterEntries} AS e ${ofRun} WHERE e.run_id = r.id AND e.granted = 0 LIMIT 1) = 1`,
        ]
      : []),
    ...(steps.length > 0
      ? [
          sql`(SELECT 1 FROM ${tables.steps} AS s WHERE s.run_id = r.id AND s.settled IS NULL AND s.status <> 'answered'
            AND (${raw(steps.join(' OR '))}) LIMIT 1) = 1`,
        ]
      : []),
  ];
  return conditions.length === 0 ? raw('1 = 0') : sql`r.finished_at IS NULL AND (${join(conditions, ' OR ')})`;
}

export function fits({ name, compare }: AttributeFilter): Statement {
  const conditions = compare.map(({ how, value }) => {
    const { type, text, number } = holdAttribute(value);
    const column = raw(type === 'text' ? 'a.text_value' : 'a.number_value');
    return sql`a.type = ${type} AND ${column} ${raw(how)} ${text ?? number}`;
  });
  return join([sql`a.name = ${name}`, ...conditions], ' AND ');
}
