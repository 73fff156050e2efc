import { type Assignments } from '../../sql/dialects/dialect.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { id, int, raw, sql, type SqlPart, type Statement } from '../../sql/dialects/statement.js';
import { isLimited } from '../model/limiter.js';
import type { RunClaim, Standstill } from '../model/run-store.js';
import {
  type ClaimedRun,
  type Closing,
  type Precondition,
  type NewRun,
  type ResumePoint,
  type RunReason,
  type RunRecord,
  type RunStatus,
  NOTIFIES,
} from '../model/run.js';

type Int = number | string;

export interface RunRow {
  id: string;
  namespace: string;
  workflow: string;
  version: Int;
  status: RunStatus;
  reason: RunReason | null;
  reason_detail: string | null;
  input: string | null;
  output: string | null;
  error: string | null;
  wake_at: Int | null;
  created_at: Int;
  started_at: Int | null;
  finished_at: Int | null;
  priority: Int;
  parent_id: string | null;
  parent_seq: Int | null;
  closing: Closing | null;
  deadline: Int | null;
  custom_status: string | null;
  schedule_id: string | null;
  forked_from: string | null;
  forked_seq: Int | null;
  owner: string | null;
  erased_at: Int | null;
}

export interface ClaimedRow {
  id: string;
  workflow: string;
  version: Int;
  input: string | null;
  epoch: Int;
  crashes: Int;
  since: Int;
  deadline: Int | null;
  closing: Closing | null;
  error: string | null;
  notifies: Int;
  unwinds: Int;
  precondition: Precondition | null;
  first_seq: Int;
  context: string | null;
  resume: string | null;
  forked_seq: Int | null;
  schedule_id?: string | null;
}

const COLUMNS =
  'id, namespace, workflow, version, status, reason, reason_detail, input, output, error, wake_at, created_at, started_at, finished_at, ' +
  'priority, parent_id, parent_seq, closing, deadline, custom_status, schedule_id, forked_from, forked_seq, owner, erased_at';
export const RUN_COLUMNS = raw(COLUMNS);

/** The same, with NULL in place of what may be large. */
export const COLUMNS_WITHOUT_PAYLOADS = raw(COLUMNS.replace('input, output,', 'NULL AS input, NULL AS output,'));

/** For columns that may be NULL; drivers return large integers as texts. */
export const numberOrNull = (value: Int | null): number | null => (value === null ? null : Number(value));

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
  wakeAt: numberOrNull(row.wake_at),
  createdAt: Number(row.created_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
  priority: Number(row.priority),
  parentId: row.parent_id,
  parentSeq: numberOrNull(row.parent_seq),
  closing: row.closing,
  deadline: numberOrNull(row.deadline),
  customStatus: row.custom_status,
  scheduleId: row.schedule_id,
  forkedFrom: row.forked_from,
  forkedSeq: numberOrNull(row.forked_seq),
  owner: row.owner,
  erasedAt: numberOrNull(row.erased_at),
});

export const claimedOf = (row: ClaimedRow): ClaimedRun => ({
  id: row.id,
  workflow: row.workflow,
  version: Number(row.version),
  input: row.input,
  epoch: Number(row.epoch),
  crashes: Number(row.crashes),
  since: Number(row.since),
  deadline: numberOrNull(row.deadline),
  closing: row.closing,
  error: row.error,
  notifies: Number(row.notifies),
  unwinds: Number(row.unwinds) !== 0,
  precondition: row.precondition,
  firstSeq: Number(row.first_seq),
  ...(row.context !== null && { context: row.context }),
  resume: readResume(row.resume),
  forkedSeq: numberOrNull(row.forked_seq),
  ...(row.schedule_id && { isScheduled: true }),
});

export const readResume = (text: string | null): ResumePoint | null =>
  text === null ? null : (JSON.parse(text) as ResumePoint);

const NEW_COLUMNS = {
  id: 'key',
  namespace: 'key',
  workflow: 'key',
  version: 'int',
  priority: 'int',
  input: 'text',
  delay_ms: 'int',
  timeout_ms: 'int',
  parent_id: 'key',
  parent_seq: 'int',
  parent_close: 'key',
  notifies: 'int',
  precondition: 'key',
  limiter: 'key',
  limits: 'text',
  schedule_id: 'key',
} as const;

/** A new run, with its turn if it needs one. */
export type RunWithTurn = NewRun & { turn?: number };

function newRow(run: RunWithTurn) {
  const { parent, after, limiter } = run;
  const limited = limiter !== undefined && isLimited(limiter.limits);
  return {
    id: run.id,
    namespace: run.namespace,
    workflow: run.workflow,
    version: run.version,
    priority: run.priority,
    input: run.input,
    delay_ms: run.delayMs,
    timeout_ms: run.timeoutMs,
    parent_id: parent?.id,
    parent_seq: parent?.seq,
    parent_close: parent?.close,
    notifies: (parent ? NOTIFIES.parent : 0) + (limited ? NOTIFIES.limiter : 0),
    precondition: after && after.length > 0 ? 'after' : limited ? 'limiter' : null,
    limiter: limiter?.limiter,
    limits: limiter && JSON.stringify(limiter),
    schedule_id: run.scheduleId,
    turn: run.turn,
    context: run.context,
  };
}

/** A plain INSERT; the caller handles existing ids. */
export const insertRuns = (scope: Scope, runs: readonly RunWithTurn[]): Statement => {
  const now = nowOf(scope);
  const placed = runs.some(({ turn }) => turn !== undefined);
  // A run that waits for its turn is due only at its deadline.
  const wakeAt = sql`${now} + n.delay_ms`;
  const due = placed ? sql`CASE WHEN n.turn IS NULL THEN ${wakeAt} ELSE ${now} + n.timeout_ms END` : wakeAt;
  const passing = runs.some(({ context }) => context !== undefined);
  const columns = {
    ...NEW_COLUMNS,
    ...(placed && { turn: 'int' as const }),
    ...(passing && { context: 'text' as const }),
  };
  const copied = raw(
    'id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id',
  );
  return sql`
  INSERT INTO ${scope.tables.runs} (${copied}, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at${raw((placed ? ', turn' : '') + (passing ? ', context' : ''))})
  SELECT ${copied}, 'pending', 0, 0, 0, ${due}, ${now} + n.delay_ms + n.timeout_ms, n.timeout_ms, ${now}${raw((placed ? ', n.turn' : '') + (passing ? ', n.context' : ''))}
  FROM ${scope.dialect.rows(JSON.stringify(runs.map(newRow)), columns)} AS n`;
};

/** PostgreSQL: creates the runs whose id is free, returns these, and notifies in the same commit. */
export const createRuns = (
  scope: Scope,
  runs: readonly RunWithTurn[],
  notification: Statement | undefined,
  waits?: Statement,
): Statement => sql`
  WITH created AS (${scope.dialect.insertOrKeep(insertRuns(scope, runs), id('id'))} RETURNING ${RUN_COLUMNS})${waits ? sql`, waiting AS (${waits})` : raw('')}
  SELECT created.*${notification ? sql`, (${notification}) AS told` : raw('')} FROM created`;

export const selectRuns = (
  { tables, dialect }: Scope,
  ids: readonly string[],
  columns: Statement = RUN_COLUMNS,
): Statement => sql`SELECT ${columns} FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/** What these runs carry, of those that carry something. */
export const selectContexts = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, context FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} AND context IS NOT NULL`;

/** The newest committed rows, even if the caller's transaction reads an older snapshot. */
export const selectRunsLatest = (scope: Scope, ids: readonly string[]): Statement =>
  sql`${selectRuns(scope, ids)} ${scope.dialect.newest}`;

export const selectOwned = ({ tables }: Scope, nodeId: string): Statement =>
  sql`SELECT id, epoch FROM ${tables.runs} WHERE owner = ${nodeId}`;

/** The current claims of these runs. */
export const selectClaims = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, epoch, owner FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/**
 * Whether `owner` owns the run of the statement's `alias`, which is looked up by key. Written so that the index of
 * owners cannot be used: if statistics were collected while all runs were parked, PostgreSQL expects no owned runs, and
 * would scan all runs of the owner for each key.
 */
export const ownedBy = (alias: string, owner: SqlPart): Statement => sql`NULLIF(${raw(alias)}.owner, '') = ${owner}`;

/** Releases owned runs: due at once, or blocked; stores their place in the order; invalidates their old claims. */
const freed = (scope: Scope, crashed: boolean, standstill?: Standstill): Assignments => ({
  owner: raw('NULL'),
  epoch: raw('r.epoch + 1'),
  ...(standstill
    ? {
        status: raw(`'suspended'`),
        wake_at: raw('CASE WHEN r.closing IS NULL THEN r.deadline END'),
        reason: standstill.reason,
        reason_detail: standstill.detail,
      }
    : {
        status: raw(
          `CASE WHEN r.closing IS NOT NULL THEN 'compensating' WHEN r.precondition IS NOT NULL THEN 'pending' ELSE 'suspended' END`,
        ),
        wake_at: nowOf(scope),
      }),
  crashes: raw(`r.crashes + ${crashed ? '1' : '0'}`),
  settled: sql`(SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = r.id)`,
});

const CLAIM_COLUMNS = { id: 'key', epoch: 'int', owner: 'key' } as const;

export const freeClaims = (
  scope: Scope,
  claims: readonly RunClaim[],
  crashed: boolean,
  standstill?: Standstill,
): Statement => {
  const { tables, dialect } = scope;
  const listed = claims.map(({ runId, epoch, owner }) => ({ id: runId, epoch, owner }));
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(JSON.stringify(listed), CLAIM_COLUMNS)} AS c`,
    on: sql`r.id = c.id AND r.epoch = c.epoch AND ${ownedBy('r', raw('c.owner'))}`,
    set: freed(scope, crashed, standstill),
  });
};

/** Takes a locked run from its owner, if it has one: due at once. */
export const freeRun = (scope: Scope, runId: string): Statement =>
  sql`UPDATE ${scope.tables.runs} AS r SET ${scope.dialect.assign('r', freed(scope, false))} WHERE r.id = ${runId}`;

/** Releases runs of a dead owner. */
export const freeRuns = (scope: Scope, among: Statement): Statement =>
  sql`UPDATE ${scope.tables.runs} AS r SET ${scope.dialect.assign('r', freed(scope, true))} WHERE r.id ${among} AND r.owner IS NOT NULL`;

export const lockOrphans = (scope: Scope, owner: string, limit: number): Statement => sql`
  SELECT id FROM ${scope.tables.runs} WHERE owner = ${owner} ORDER BY id LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

/** The column of the index of ended runs that says how they have ended. */
export const endedColumn = ({ hasPartialIndexes }: Scope['dialect']): 'status' | 'ended' =>
  hasPartialIndexes ? 'status' : 'ended';
