import { byFamily } from '../../sql/dialects/dialect.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { endedColumn } from '../tables/run.sql.js';
import { nowOf, onceNow, type Scope } from '../../sql/tables.js';
import { id, type Identifier, int, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { RunStatus } from '../model/run.js';
import type { PurgeRuns } from '../model/run-control.js';

/** `SKIP LOCKED` for callers that must not wait for locks. */
const skipping = (skip: boolean): Statement => raw(skip ? ' SKIP LOCKED' : '');

/** Locks ended runs in the order of the index: those that ended first come first, one status at a time. */
export const lockPurgeable = (scope: Scope, request: Omit<PurgeRuns, 'status'>, status: RunStatus): Statement => {
  const { tables, dialect } = scope;
  const { namespace, olderThanMs, limit } = request;
  // Subqueries per row, since a join might read the whole table.
  return sql`
  SELECT r.id FROM ${tables.runs} AS r ${dialect.forceIndex(id(`${tables.prefix}_runs_finished`))}
  WHERE r.namespace = ${namespace} AND r.${raw(endedColumn(dialect))} = ${status} AND r.finished_at <= ${onceNow(scope)} - ${olderThanMs}
    AND NOT COALESCE((SELECT p.finished_at IS NULL FROM ${tables.runs} AS p WHERE p.id = r.parent_id), false)
    AND (SELECT COUNT(*) FROM ${tables.dependencies} AS e WHERE e.target_id = r.id) = 0
  ORDER BY r.finished_at, r.id LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;
};

/** In a transaction whose snapshot may be older, MySQL returns the newest rows only to locking reads. */
const newestIf = ({ dialect }: Scope, newest: boolean): Statement => (newest ? sql` ${dialect.newest}` : raw(''));

/** The children of these runs, ended or not. */
export const selectChildren = (scope: Scope, parentIds: readonly string[], newest = false): Statement =>
  sql`SELECT id, parent_id FROM ${scope.tables.runs} WHERE parent_id ${amongKeys(scope.dialect, parentIds)}${newestIf(scope, newest)}`;

export const lockByKey = ({ tables, dialect }: Scope, ids: readonly string[], skip = false): Statement => sql`
  SELECT id, parent_id, finished_at FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE${skipping(skip)}`;

/** Removes the parent of these runs: their ends notify no parent, and no parent's end closes them. */
export const orphanRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id ${amongKeys(dialect, ids)}`;

/** Steps that may have a task, an answer or a wait. */
export const selectOpenSteps = (scope: Scope, runIds: readonly string[], newest = false): Statement => sql`
  SELECT run_id, seq FROM ${scope.tables.steps}
  WHERE run_id ${amongKeys(scope.dialect, runIds)} AND kind IN ('remote', 'child', 'signal') AND settled IS NULL${newestIf(scope, newest)}`;

export const deleteRuns = (scope: Scope, ids: readonly string[]): Statement =>
  deleteBy(scope, { table: scope.tables.runs, column: 'id', index: 'PRIMARY' }, ids);

export const deleteWaits = (scope: Scope, stepIds: readonly string[]): Statement =>
  deleteBy(
    scope,
    { table: scope.tables.waits, column: 'step_id', index: `${scope.tables.prefix}_signal_waits_step` },
    stepIds,
  );

/** The queues of signals that were sent to these runs by id. */
export const selectRunChannels = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT channel FROM ${tables.signals} WHERE target ${amongKeys(dialect, runIds)} AND addressed = 'run'`;

export const deleteChannels = (scope: Scope, channels: readonly string[]): Statement =>
  deleteBy(scope, { table: scope.tables.channels, column: 'channel', index: 'PRIMARY' }, channels);

/** Everything else that belongs to runs, table by table. */
export function deleteBelongings(scope: Scope, runIds: readonly string[]): Statement[] {
  const { tables } = scope;
  const index = (table: Identifier, suffix: string) => `${table.name}_${suffix}`;
  const ofRun = (table: Identifier, name = 'PRIMARY', column = 'run_id') =>
    deleteBy(scope, { table, column, index: name }, runIds);
  return [
    deleteMetDependencies(scope, runIds),
    ofRun(tables.dependencies, index(tables.dependencies, 'waiting')),
    ofRun(tables.startKeys, index(tables.startKeys, 'run')),
    ofRun(tables.attributes),
    ...deleteLives(scope, runIds),
  ];
}

/** What belongs to the present life of ended runs. */
export function deleteLives(scope: Scope, runIds: readonly string[]): Statement[] {
  const { tables } = scope;
  const ofRun = (table: Identifier, index = 'PRIMARY', column = 'run_id') =>
    deleteBy(scope, { table, column, index }, runIds);
  const { limiterEntries, attempts, logs, steps, signals } = tables;
  return [
    ofRun(limiterEntries, `${limiterEntries.name}_run`),
    ofRun(attempts),
    ofRun(logs, `${logs.name}_run`),
    ofRun(steps),
    sql`${ofRun(signals, `${signals.name}_target`, 'target')} AND addressed = 'run'`,
  ];
}

/** Only for completed runs: waiters for a run that did not complete must notice that it is gone. */
const deleteMetDependencies = ({ tables, dialect }: Scope, targetIds: readonly string[]): Statement => {
  const completed = sql`r.id = e.target_id AND r.status = 'completed' AND e.target_id ${amongKeys(dialect, targetIds)}`;
  return byFamily(dialect, {
    postgres: () => sql`DELETE FROM ${tables.dependencies} AS e USING ${tables.runs} AS r WHERE ${completed}`,
    mysql: () =>
      sql`DELETE e FROM ${tables.runs} AS r STRAIGHT_JOIN ${tables.dependencies} AS e FORCE INDEX (PRIMARY) ON ${completed} WHERE r.id ${amongKeys(dialect, targetIds)}`,
  });
};

/** Keys whose window has passed. */
export const selectExpiredKeys = (scope: Scope, limit: number): Statement => sql`
  SELECT start_key FROM ${scope.tables.startKeys}
  WHERE expires_at <= ${onceNow(scope)} ORDER BY expires_at LIMIT ${int(limit)}`;

/** Skips keys that were renewed meanwhile. */
export const deleteExpiredKeys = (scope: Scope, keys: readonly string[]): Statement => sql`
  ${deleteBy(scope, { table: scope.tables.startKeys, column: 'start_key', index: 'PRIMARY' }, keys)} AND expires_at <= ${nowOf(scope)}`;

interface KeyedBy {
  table: Identifier;
  column: string;
  index: string;
}

/** MySQL and MariaDB: only by this index, since a DELETE waits for every locked row that it reads. */
const deleteBy = ({ dialect }: Scope, { table, column, index }: KeyedBy, keys: readonly string[]): Statement =>
  byFamily(dialect, {
    postgres: () => sql`DELETE FROM ${table} WHERE ${id(column)} ${amongKeys(dialect, keys)}`,
    mysql: () =>
      sql`DELETE gone FROM ${table} AS gone FORCE INDEX (${id(index)}) WHERE gone.${id(column)} ${amongKeys(dialect, keys)}`,
  });
