import type { Dialect } from '../sql/dialect.js';
import { amongKeys, integerNow } from '../sql/key-list.js';
import type { SqlNow } from '../sql/sql-now.js';
import { id, join, raw, sql, type Statement } from '../sql/statement.js';
import type { Tables } from '../sql/tables.js';
import type { ListRuns } from './run-catalog.js';
import {
  FINAL_STATUSES,
  type BlockReason,
  type ClaimedRun,
  type NewRun,
  type RunRecord,
  type RunStatus,
} from './run.js';

/** What the statements of this folder need to know besides their values. */
export interface Scope {
  readonly tables: Tables;
  readonly dialect: Dialect;
  readonly now: SqlNow;
}

type Int = number | string;

export interface RunRow {
  id: string;
  namespace: string;
  workflow: string;
  version: Int;
  status: RunStatus;
  reason: BlockReason | null;
  reason_detail: string | null;
  input: string | null;
  output: string | null;
  error: string | null;
  wake_at: Int | null;
  created_at: Int;
  started_at: Int | null;
  finished_at: Int | null;
}

export interface ClaimedRow {
  id: string;
  workflow: string;
  version: Int;
  input: string | null;
  epoch: Int;
  crashes: Int;
}

export const nowOf = ({ dialect, now }: Scope): Statement => integerNow(dialect, now);

const RUN_COLUMNS = raw(
  'id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at',
);

const int = (value: Int | null): number | null => (value === null ? null : Number(value));

export const runOf = (row: RunRow): RunRecord => ({
  id: row.id,
  namespace: row.namespace,
  workflow: row.workflow,
  version: Number(row.version),
  status: row.status,
  reason: row.reason,
  reasonDetail: row.reason_detail,
  input: row.input,
  output: row.output,
  error: row.error,
  wakeAt: int(row.wake_at),
  createdAt: Number(row.created_at),
  startedAt: int(row.started_at),
  finishedAt: int(row.finished_at),
});

export const claimedOf = ({ id, workflow, version, input, epoch, crashes }: ClaimedRow): ClaimedRun => ({
  id,
  workflow,
  version: Number(version),
  input,
  epoch: Number(epoch),
  crashes: Number(crashes),
});

const NEW_COLUMNS = {
  id: 'key',
  namespace: 'key',
  workflow: 'key',
  version: 'int',
  priority: 'int',
  input: 'text',
  delay_ms: 'int',
} as const;

/** Plain: whoever runs it says what becomes of ids that are taken. */
export const insertRuns = (scope: Scope, runs: readonly NewRun[]): Statement => {
  const json = JSON.stringify(runs.map(({ delayMs, ...run }) => ({ ...run, delay_ms: delayMs })));
  const now = nowOf(scope);
  return sql`
  INSERT INTO ${scope.tables.runs}
    (id, namespace, workflow, version, status, epoch, wake_at, settled, crashes, priority, input, created_at)
  SELECT n.id, n.namespace, n.workflow, n.version, 'pending', 0, ${now} + n.delay_ms, 0, 0, n.priority, n.input, ${now}
  FROM ${scope.dialect.rows(json, NEW_COLUMNS)} AS n`;
};

/** PostgreSQL: creates what is free, answers which those were, and notifies in the same commit. */
export const createRuns = (
  scope: Scope,
  runs: readonly NewRun[],
  notification: Statement | undefined,
): Statement => sql`
  WITH created AS (${scope.dialect.insertOrKeep(insertRuns(scope, runs), id('id'))} RETURNING ${RUN_COLUMNS})
  SELECT created.*${notification ? sql`, (${notification}) AS told` : raw('')} FROM created`;

export const selectRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT ${RUN_COLUMNS} FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/**
 * The newest committed rows, even where the caller's transaction reads an older snapshot. On PostgreSQL such a
 * transaction has failed when it met the row, and a lock would keep the run's owner from going on.
 */
export const selectRunsLatest = (scope: Scope, ids: readonly string[]): Statement =>
  sql`${selectRuns(scope, ids)}${raw(scope.dialect.family === 'postgres' ? '' : ' LOCK IN SHARE MODE')}`;

export const listRuns = ({ tables }: Scope, query: ListRuns): Statement => {
  const { namespace, status, workflow, blocked, before, limit } = query;
  const conditions = [
    sql`namespace = ${namespace}`,
    ...(status ? [sql`status IN (${join(status)})`] : []),
    ...(workflow === undefined ? [] : [sql`workflow = ${workflow}`]),
    ...(blocked ? [raw('reason IS NOT NULL')] : []),
    // The first condition is what the index can use.
    ...(before
      ? [sql`created_at <= ${before.createdAt} AND (created_at < ${before.createdAt} OR id < ${before.id})`]
      : []),
  ];
  return sql`SELECT ${RUN_COLUMNS} FROM ${tables.runs} WHERE ${join(conditions, ' AND ')}
  ORDER BY created_at DESC, id DESC LIMIT ${raw(String(Math.trunc(limit)))}`;
};

export const cancelRun = (scope: Scope, runId: string): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'cancelled', owner = NULL, epoch = epoch + 1, wake_at = NULL, reason = NULL, finished_at = ${nowOf(scope)}
  WHERE id = ${runId} AND status NOT IN (${join(FINAL_STATUSES)})`;

export const selectOwned = ({ tables }: Scope, nodeId: string): Statement =>
  sql`SELECT id, epoch FROM ${tables.runs} WHERE owner = ${nodeId}`;

/** How an owned run becomes anybody's: due at once, its order of outcomes written down, its old claims void. */
const freed = (scope: Scope, crashed: boolean): Statement => {
  // MySQL wants assignments of a joined UPDATE qualified, PostgreSQL wants none so.
  const to = (column: string) => raw(scope.dialect.family === 'postgres' ? column : `r.${column}`);
  return join([
    sql`${to('owner')} = NULL`,
    sql`${to('epoch')} = r.epoch + 1`,
    sql`${to('status')} = 'suspended'`,
    sql`${to('wake_at')} = ${nowOf(scope)}`,
    sql`${to('crashes')} = r.crashes + ${raw(crashed ? '1' : '0')}`,
    sql`${to('settled')} = (SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = r.id)`,
  ]);
};

const CLAIM_COLUMNS = { id: 'key', epoch: 'int' } as const;

export const freeClaims = (
  scope: Scope,
  claims: readonly { runId: string; epoch: number }[],
  crashed: boolean,
): Statement => {
  const { tables, dialect } = scope;
  const rows = dialect.rows(JSON.stringify(claims.map(({ runId, epoch }) => ({ id: runId, epoch }))), CLAIM_COLUMNS);
  const matches = raw('r.id = c.id AND r.epoch = c.epoch AND r.owner IS NOT NULL');
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.runs} AS r SET ${freed(scope, crashed)} FROM ${rows} AS c WHERE ${matches}`
    : sql`UPDATE ${tables.runs} AS r JOIN ${rows} AS c ON ${matches} SET ${freed(scope, crashed)}`;
};

/** Those of a dead owner. */
export const freeRuns = (scope: Scope, among: Statement): Statement =>
  sql`UPDATE ${scope.tables.runs} AS r SET ${freed(scope, true)} WHERE r.id ${among} AND r.owner IS NOT NULL`;

/** Owners that have lapsed or never signed in, by the runs they still hold. */
export const selectDeadOwners = (scope: Scope): Statement => sql`
  SELECT DISTINCT r.owner FROM ${scope.tables.runs} AS r
  LEFT JOIN ${scope.tables.nodes} AS n ON n.id = r.owner
  WHERE r.owner IS NOT NULL AND (n.id IS NULL OR n.expires_at <= ${nowOf(scope)})`;

export const lockOrphans = (scope: Scope, owner: string, limit: number): Statement => sql`
  SELECT id FROM ${scope.tables.runs} WHERE owner = ${owner} ORDER BY id LIMIT ${raw(String(limit))} FOR UPDATE SKIP LOCKED`;
