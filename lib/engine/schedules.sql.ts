import { afterCommit, type Transaction } from '../core/transaction.js';
import { amongKeys, deleteByKeys } from '../sql/dialects.js';
import { connectionOf, inTransaction, type SqlConnection } from '../sql/executor.js';
import { NotifyingAdapter } from '../sql/notifier.js';
import { id, type Identifier, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, onceNow, type Scope, type Tables } from '../sql/tables.js';
import { selectStatuses } from './endings.sql.js';
import { selectNow } from './nodes.sql.js';
import { isFinal, type RunStatus } from './run.js';
import {
  changesPlans,
  type ListedSchedule,
  type ListSchedules,
  type LookAtSchedules,
  type MakeSchedules,
  type RewriteSchedules,
  type ScheduleChoice,
  type ScheduleRecord,
  type ScheduleStore,
  type ScheduleView,
} from './schedules.js';
import { numberOrNull } from './tables.sql.js';

const TOPIC = 'schedules';

export class SqlScheduleStore extends NotifyingAdapter implements ScheduleStore {
  async insert(make: MakeSchedules, tx?: Transaction): Promise<number> {
    const connection = connectionOf(this.db, tx);
    const { rows } = await connection.run<{ now: number | string }>(selectNow(this.scope));
    const made = await make(Number(rows[0]?.now));
    if (made.length === 0) return 0;
    const { affected } = await connection.run(insertSchedules(this.scope, made));
    if (affected > 0) afterCommit(tx, () => this.hint(TOPIC));
    return affected;
  }

  async list(query: ListSchedules): Promise<ListedSchedule[]> {
    const { rows } = await this.db.run<ListedScheduleRow>(listSchedules(this.scope, query));
    return rows.map((row) => ({ ...scheduleOf(row), lastStatus: row.last_status }));
  }

  async late(namespace: string, olderThanMs: number, limit: number): Promise<ScheduleRecord[]> {
    const late = selectLate(this.scope, namespace, olderThanMs, limit);
    return (await this.db.run<ScheduleRow>(late)).rows.map(scheduleOf);
  }

  async remove(namespace: string, ids: readonly string[], tx?: Transaction): Promise<number> {
    if (ids.length === 0) return 0;
    const { affected } = await connectionOf(this.db, tx).run(deleteSchedules(this.scope, namespace, ids));
    if (affected > 0) afterCommit(tx, () => this.hint(TOPIC));
    return affected;
  }

  change(which: ScheduleChoice, rewrite: RewriteSchedules, tx?: Transaction): Promise<number> {
    return inTransaction(this.db, tx, async (connection) => {
      const lock = lockSchedules(this.scope, which);
      const { rows } = await connection.run<ScheduleRow & { now: number | string }>(lock);
      if (rows.length === 0) return 0;
      const statuses = await this.statusesOf(connection, rows);
      const locked = rows.map((row) => ({
        ...scheduleOf(row),
        lastStatus: statuses.get(row.last_run_id ?? '') ?? null,
      }));
      const changed = await rewrite(locked, Number(rows[0]?.now), connection);
      if (changed.length > 0) await connection.run(updateSchedules(this.scope, changed));
      if (changesPlans(locked, changed)) connection.afterCommit(() => this.hint(TOPIC));
      return rows.length;
    });
  }

  async look(what: LookAtSchedules): Promise<ScheduleView> {
    const { rows } = await this.db.run<LookedAtRow>(lookAtSchedules(this.scope, what));
    const times = rows.flatMap(({ next_at }) => (next_at === null ? [] : [Number(next_at)]));
    const buffered = new Map(rows.filter(({ buffered_at }) => buffered_at !== null).map((row) => [row.id, row]));
    return {
      at: times.length > 0 ? Math.min(...times) : null,
      buffered: [...buffered.values()].map(({ id, last_run_id, last_status }) => ({
        id,
        runId: last_run_id,
        over: last_status === null || isFinal(last_status),
      })),
    };
  }

  onChanged(listener: () => void): () => void {
    return this.notifier.subscribe(TOPIC, () => listener());
  }

  /** Read after the schedules are locked, so that their last runs do not change until they are written. */
  private async statusesOf(connection: SqlConnection, rows: readonly ScheduleRow[]): Promise<Map<string, RunStatus>> {
    const ids = rows.flatMap(({ last_run_id }) => last_run_id ?? []);
    if (ids.length === 0) return new Map();
    const found = await connection.run<{ id: string; status: RunStatus }>(selectStatuses(this.scope, ids));
    return new Map(found.rows.map(({ id, status }) => [id, status]));
  }
}

type Int = number | string;

export interface ScheduleRow {
  id: string;
  namespace: string;
  workflow: string;
  declared: Int;
  spec: string;
  input: string | null;
  paused: Int;
  next_at: Int | null;
  fired_at: Int | null;
  last_run_id: string | null;
  buffered_at: Int | null;
  created_at: Int;
}

export interface ListedScheduleRow extends ScheduleRow {
  last_status: RunStatus | null;
}

export type LookedAtRow = Pick<ListedScheduleRow, 'id' | 'next_at' | 'buffered_at' | 'last_run_id' | 'last_status'>;

/** The columns that a change may write. */
const CHANGING = {
  workflow: 'key',
  declared: 'int',
  spec: 'text',
  input: 'text',
  paused: 'int',
  next_at: 'int',
  fired_at: 'int',
  last_run_id: 'key',
  buffered_at: 'int',
} as const;

const COLUMNS = raw(['id', 'namespace', 'created_at', ...Object.keys(CHANGING)].join(', '));

export const scheduleOf = (row: ScheduleRow): ScheduleRecord => ({
  id: row.id,
  namespace: row.namespace,
  workflow: row.workflow,
  declared: Number(row.declared) !== 0,
  spec: row.spec,
  input: row.input,
  paused: Number(row.paused) !== 0,
  nextAt: numberOrNull(row.next_at),
  firedAt: numberOrNull(row.fired_at),
  lastRunId: row.last_run_id,
  bufferedAt: numberOrNull(row.buffered_at),
  createdAt: Number(row.created_at),
});

const rowOf = (schedule: ScheduleRecord) => ({
  id: schedule.id,
  namespace: schedule.namespace,
  workflow: schedule.workflow,
  declared: Number(schedule.declared),
  spec: schedule.spec,
  input: schedule.input,
  paused: Number(schedule.paused),
  next_at: schedule.nextAt,
  fired_at: schedule.firedAt,
  last_run_id: schedule.lastRunId,
  buffered_at: schedule.bufferedAt,
  created_at: schedule.createdAt,
});

const rows = ({ dialect }: Scope, schedules: readonly ScheduleRecord[]): Statement =>
  dialect.rows(schedules.map(rowOf), { id: 'key', namespace: 'key', created_at: 'int', ...CHANGING });

export const insertSchedules = (scope: Scope, schedules: readonly ScheduleRecord[]): Statement =>
  scope.dialect.insertOrKeep(
    // The condition keeps MySQL from reading ON as part of a join.
    sql`INSERT INTO ${scope.tables.schedules} (${COLUMNS}) SELECT ${COLUMNS} FROM ${rows(scope, schedules)} AS n WHERE 1 = 1`,
    [id('namespace'), id('id')],
  );

export const updateSchedules = (scope: Scope, schedules: readonly ScheduleRecord[]): Statement =>
  scope.dialect.updateFrom({
    table: scope.tables.schedules,
    as: 's',
    from: sql`${rows(scope, schedules)} AS n`,
    on: raw('s.namespace = n.namespace AND s.id = n.id'),
    set: Object.fromEntries(Object.keys(CHANGING).map((column) => [column, raw(`n.${column}`)])),
  });

/** The status of the last run of the schedule `s`. */
const lastStatus = ({ runs }: Tables): Statement =>
  sql`(SELECT r.status FROM ${runs} AS r WHERE r.id = s.last_run_id) AS last_status`;

export const listSchedules = ({ tables, dialect }: Scope, query: ListSchedules): Statement => {
  const { namespace, ids, workflows, declared, afterId, limit } = query;
  const conditions = [
    sql`namespace = ${namespace}`,
    ...(ids ? [sql`id ${amongKeys(dialect, ids)}`] : []),
    ...(workflows ? [sql`workflow ${amongKeys(dialect, workflows)}`] : []),
    ...(declared ? [raw('declared = 1')] : []),
    ...(afterId === undefined ? [] : [sql`id > ${afterId}`]),
  ];
  return sql`SELECT ${COLUMNS}, ${lastStatus(tables)} FROM ${tables.schedules} AS s WHERE ${join(conditions, ' AND ')}
  ORDER BY id${raw(limit === undefined ? '' : ` LIMIT ${Math.trunc(limit)}`)}`;
};

export const deleteSchedules = ({ tables, dialect }: Scope, namespace: string, ids: readonly string[]): Statement =>
  sql`${deleteByKeys(dialect, tables.schedules, 'id', ids)} AND namespace = ${namespace}`;

export const lockSchedules = (scope: Scope, which: ScheduleChoice): Statement => {
  const { tables, dialect } = scope;
  const select = (index?: Identifier) => sql`
  SELECT ${COLUMNS}, ${nowOf(scope)} AS now FROM ${tables.schedules} ${dialect.forceIndex(index)} WHERE namespace = ${which.namespace}`;
  if ('ids' in which) return sql`${select()} AND id ${amongKeys(dialect, which.ids)} ORDER BY id FOR UPDATE`;
  const { workflows, except, limit } = which.due;
  return sql`${select(indexOf(tables.schedules, 'due'))} AND next_at <= ${onceNow(scope)} AND ${ofInterest(scope, workflows, except)}
  ORDER BY next_at LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;
};

/** The schedule that is due first, and all schedules with a buffered firing. */
export const lookAtSchedules = (scope: Scope, { namespace, workflows, except }: LookAtSchedules): Statement => {
  const { tables } = scope;
  const ours = sql`s.namespace = ${namespace} AND ${ofInterest(scope, workflows, except)}`;
  const select = sql`SELECT s.id, s.next_at, s.buffered_at, s.last_run_id, ${lastStatus(tables)} FROM ${tables.schedules} AS s WHERE ${ours}`;
  return sql`(${select} AND s.next_at IS NOT NULL ORDER BY s.next_at LIMIT 1)
  UNION ALL (${select} AND s.buffered_at IS NOT NULL)`;
};

const ofInterest = ({ dialect }: Scope, workflows: readonly string[], except: readonly string[]): Statement =>
  sql`workflow ${amongKeys(dialect, workflows)}${except.length > 0 ? sql` AND NOT (id ${amongKeys(dialect, except)})` : raw('')}`;

/** By the index of due schedules; a paused one has no next time. */
export const selectLate = (scope: Scope, namespace: string, olderThanMs: number, limit: number): Statement => sql`
  SELECT ${COLUMNS} FROM ${scope.tables.schedules}
  WHERE namespace = ${namespace} AND next_at <= ${onceNow(scope)} - ${olderThanMs} AND next_at IS NOT NULL AND paused = 0
  ORDER BY next_at, id LIMIT ${int(limit)}`;
