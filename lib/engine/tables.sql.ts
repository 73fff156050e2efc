import { listedIn, listOf } from '../core/leasing.js';
import type { Transaction } from '../core/transaction.js';
import { commitLossOf, lossOf } from '../sql/connections.js';
import { amongKeys, type Assignments, deleteByKeys, overwriting, type SentAs } from '../sql/dialects.js';
import type { SqlConnection, SqlExecutor, SqlTransaction } from '../sql/executor.js';
import { id, int, join, raw, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import { isLimited } from './limits.js';
import {
  type AttributeValue,
  type ClaimedRun,
  type Closing,
  holdAttribute,
  type NewRun,
  NOTIFIES,
  type Precondition,
  type ResumePoint,
  type RunReason,
  type RunRecord,
  type RunStatus,
} from './run.js';
import type { EndedAttempt, Endings, LogLine, RunClaim, RunWrite, Standstill } from './runs.js';
import type { Transactions } from './starts.js';
import { isCompensation, type StepKind, type StepRecord, type StepStatus } from './step.js';

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
  crashed?: string | null;
  since: Int;
  claimed_at?: Int;
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
  ...(row.crashed && { crashed: [...listedIn(row.crashed)] }),
  since: Number(row.since),
  claimedAt: Number(row.claimed_at ?? 0),
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
    targets: after && JSON.stringify(after),
  };
}

/** A plain INSERT; the caller handles existing ids. */
export const insertRuns = (scope: Scope, runs: readonly RunWithTurn[]): Statement => {
  const now = nowOf(scope);
  const placed = runs.some(({ turn }) => turn !== undefined);
  // A run that waits for its turn is due only at its deadline.
  const wakeAt = sql`${now} + n.delay_ms`;
  const due = placed ? sql`CASE WHEN n.turn IS NULL THEN ${wakeAt} ELSE ${now} + n.timeout_ms END` : wakeAt;
  const rare = {
    ...(placed && { turn: 'int' as const }),
    ...(runs.some(({ context }) => context !== undefined) && { context: 'text' as const }),
    ...(runs.some(({ after }) => after !== undefined) && { targets: 'text' as const }),
  };
  const more = (alias: string) =>
    raw(
      Object.keys(rare)
        .map((column) => `, ${alias}${column}`)
        .join(''),
    );
  const copied = raw(
    'id, namespace, workflow, version, priority, input, parent_id, parent_seq, parent_close, notifies, precondition, limiter, limits, schedule_id',
  );
  return sql`
  INSERT INTO ${scope.tables.runs} (${copied}, status, epoch, settled, crashes, wake_at, deadline, timeout_ms, created_at${more('')})
  SELECT ${copied}, 'pending', 0, 0, 0, ${due}, ${now} + n.delay_ms + n.timeout_ms, n.timeout_ms, ${now}${more('n.')}
  FROM ${scope.dialect.rows(runs.map(newRow), { ...NEW_COLUMNS, ...rare })} AS n`;
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
): Statement => sql`SELECT ${columns} FROM ${tables.runs} ${dialect.forceIndex()} WHERE id ${amongKeys(dialect, ids)}`;

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

/** Counts an owner that has ended, unless the run lists it already. */
const countEnded = ({ dialect }: Scope, owner: string): Assignments => {
  const listed = sql`position(${listOf([owner])} IN COALESCE(r.crashed, '')) > 0`;
  // In this order: MySQL assigns from left to right, and the count reads the old list.
  return {
    crashes: sql`r.crashes + CASE WHEN ${listed} THEN 0 ELSE 1 END`,
    crashed: sql`CASE WHEN ${listed} THEN r.crashed
      ELSE CONCAT(COALESCE(r.crashed, ''), ${dialect.cast(listOf([owner]), 'text')}) END`,
  };
};

/** Releases owned runs: due at once, or blocked; stores their place in the order; invalidates their old claims. */
const freed = (scope: Scope, counted: Assignments = {}, standstill?: Standstill): Assignments => ({
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
  ...counted,
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
    from: sql`${dialect.rows(listed, CLAIM_COLUMNS)} AS c`,
    on: sql`r.id = c.id AND r.epoch = c.epoch AND ${ownedBy('r', raw('c.owner'))}`,
    set: freed(scope, crashed ? { crashes: raw('r.crashes + 1') } : {}, standstill),
  });
};

/** Takes a locked run from its owner, if it has one: due at once. */
export const freeRun = (scope: Scope, runId: string): Statement =>
  sql`UPDATE ${scope.tables.runs} AS r SET ${scope.dialect.assign('r', freed(scope))} WHERE r.id = ${runId}`;

/** Releases runs of an owner that has ended. */
export const freeRuns = (scope: Scope, owner: string, ids: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} AS r ${scope.dialect.forceIndex()} SET ${scope.dialect.assign('r', freed(scope, countEnded(scope, owner)))}
  WHERE r.id ${amongKeys(scope.dialect, ids)} AND ${ownedBy('r', owner)}`;

/** Takes back that this owner was counted: it has not ended. */
export const withdrawEnded = ({ tables, dialect }: Scope, owner: string, ids: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} ${dialect.forceIndex()} SET crashes = GREATEST(crashes - 1, 0), crashed = NULLIF(REPLACE(crashed, ${listOf([owner])}, ''), '')
  WHERE id ${amongKeys(dialect, ids)} AND crashed IS NOT NULL AND position(${listOf([owner])} IN crashed) > 0`;

export const lockOrphans = (scope: Scope, owner: string, limit: number): Statement => sql`
  SELECT id FROM ${scope.tables.runs} WHERE owner = ${owner} ORDER BY id LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

/** The column of the index of ended runs that says how they have ended. */
export const endedColumn = ({ hasPartialIndexes }: Scope['dialect']): 'status' | 'ended' =>
  hasPartialIndexes ? 'status' : 'ended';

export interface StepRow {
  run_id: string;
  seq: Int;
  kind: StepKind;
  name: string;
  status: StepStatus;
  attempt: Int;
  failures: Int | null;
  deferrals: Int | null;
  settled: Int | null;
  /** Undefined: it was not read. */
  output?: string | null;
  error: string | null;
  ref: string | null;
  wake_at: Int | null;
  created_at: Int;
  asked_at: Int | null;
  started_at: Int | null;
  finished_at: Int | null;
  worker: string | null;
  input?: string | null;
}

const STEP_COLUMN_LIST = {
  run_id: 'key',
  seq: 'int',
  kind: 'key',
  name: 'key',
  status: 'key',
  attempt: 'int',
  failures: 'int',
  deferrals: 'int',
  settled: 'int',
  output: 'text',
  error: 'text',
  ref: 'key',
  wake_at: 'int',
  created_at: 'int',
  asked_at: 'int',
  started_at: 'int',
  finished_at: 'int',
  worker: 'key',
} as const;

export const STEP_COLUMNS = raw(Object.keys(STEP_COLUMN_LIST).join(', '));
const fieldsBut = (left: string, ...more: string[]): Statement =>
  raw([...Object.keys(STEP_COLUMN_LIST), ...more].filter((column) => column !== left).join(', '));
/** All but the run that they belong to, with the input. */
export const STEP_FIELDS = fieldsBut('run_id', 'input');
/** All but the output, which may be long. */
export const STEP_FACTS = fieldsBut('output');
/** What stays as it was first written. */
const FIXED = ['run_id', 'seq', 'kind', 'name', 'created_at'];
const CHANGING = Object.keys(STEP_COLUMN_LIST).filter((column) => !FIXED.includes(column));

export const stepOf = (row: StepRow): StepRecord => ({
  runId: row.run_id,
  seq: Number(row.seq),
  kind: row.kind,
  name: row.name,
  status: row.status,
  attempt: Number(row.attempt),
  failures: Number(row.failures),
  deferrals: Number(row.deferrals),
  settled: numberOrNull(row.settled),
  output: row.output ?? null,
  error: row.error,
  ref: row.ref,
  wakeAt: numberOrNull(row.wake_at),
  createdAt: Number(row.created_at),
  askedAt: numberOrNull(row.asked_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
  worker: row.worker,
  ...(typeof row.input === 'string' && { input: row.input }),
});

/** What most steps do not have is left out, which reads as NULL. */
const stepRow = (step: StepRecord) => ({
  run_id: step.runId,
  seq: step.seq,
  kind: step.kind,
  name: step.name,
  status: step.status,
  attempt: step.attempt,
  failures: step.failures || undefined,
  deferrals: step.deferrals || undefined,
  settled: step.settled,
  output: step.output,
  error: step.error,
  ref: step.ref,
  wake_at: step.wakeAt,
  created_at: step.createdAt,
  asked_at: step.askedAt ?? undefined,
  started_at: step.startedAt,
  finished_at: step.finishedAt,
  worker: step.worker ?? undefined,
  input: step.input,
});

export interface UpsertSteps {
  /** PostgreSQL: restricts it to runs that passed the fencing of the same statement. */
  held?: Statement;
  /** PostgreSQL: a record with an outcome is not changed, and not returned. */
  once?: boolean;
  as?: SentAs | undefined;
}

/** Inserts or overwrites whole rows. */
export const upsertSteps = (
  { tables, dialect }: Scope,
  steps: readonly StepRecord[],
  { held = raw(''), once = false, as }: UpsertSteps = {},
): Statement => {
  // Few apps keep inputs, and a record that was read without its input does not remove it.
  const keeping = steps.some(({ input }) => input !== undefined);
  // Right code may compensate in another way than before.
  const changing = steps.some(isCompensation) ? ['kind', 'name', ...CHANGING] : CHANGING;
  const overwrite = dialect.onConflictUpdate([id('run_id'), id('seq')], (incoming) =>
    join([
      ...changing.map((column) => sql`${id(column)} = ${incoming(column)}`),
      ...(keeping ? [sql`input = COALESCE(${incoming('input')}, ${once ? raw('old') : tables.steps}.input)`] : []),
    ]),
  );
  const columns = keeping ? { ...STEP_COLUMN_LIST, input: 'text' as const } : STEP_COLUMN_LIST;
  const names = Object.keys(columns);
  const named = (of: string) => raw(names.map((column) => of + column).join(', '));
  // WHERE true: without it, MySQL and PostgreSQL parse ON as part of the join.
  return sql`INSERT INTO ${tables.steps}${raw(once ? ' AS old' : '')} (${named('')})
    SELECT ${named('i.')} FROM ${dialect.rows(steps.map(stepRow), columns, as)} AS i ${held} WHERE true
    ${overwrite}${raw(once ? ' WHERE old.settled IS NULL RETURNING 1' : '')}`;
};

export const selectHistories = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id ${amongKeys(dialect, runIds)}`;

/** With the inputs that are kept. */
export const selectWholeHistory = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT ${STEP_COLUMNS}, input FROM ${tables.steps} WHERE run_id = ${runId}`;

export const selectStep = ({ tables }: Scope, runId: string, seq: number): Statement =>
  sql`SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id = ${runId} AND seq = ${seq}`;

/** Which of these positions are recorded. */
export const selectRecorded = (
  { tables, dialect }: Scope,
  keys: readonly { runId: string; seq: number }[],
): Statement => {
  const asked = keys.map(({ runId, seq }) => ({ run_id: runId, seq }));
  return sql`SELECT s.run_id, s.seq, s.attempt, s.asked_at, s.settled FROM ${dialect.rows(asked, { run_id: 'key', seq: 'int' })} AS p
    JOIN ${tables.steps} AS s ON s.run_id = p.run_id AND s.seq = p.seq`;
};

export const deleteHistories = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.steps, 'run_id', runIds);

/** Unsettled steps of kinds that answers can settle. */
export const selectAnswerable = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps}
  WHERE run_id ${amongKeys(dialect, runIds)} AND kind IN ('remote', 'child', 'signal') AND settled IS NULL`;

/*
 * Notes on runs besides their histories: attributes, attempts, log lines. Numbers are sent as texts, since rows of the
 * dialects support only integers.
 */

const ATTRIBUTES = { run_id: 'key', name: 'key', type: 'key', text_value: 'key', number_value: 'key' } as const;

/** Only for existing runs: the namespace comes from them. */
export const upsertAttributes = (
  scope: Scope,
  changes: readonly { runId: string; name: string; value: AttributeValue }[],
): Statement => {
  const { tables, dialect } = scope;
  const rows = changes.map(({ runId, name, value }) => {
    const { type, text, number } = holdAttribute(value);
    return { run_id: runId, name, type, text_value: text, number_value: number === null ? null : String(number) };
  });
  const overwrite = overwriting(dialect, ['run_id', 'name'], ['type', 'text_value', 'number_value']);
  return sql`
  INSERT INTO ${tables.attributes} (run_id, name, namespace, type, text_value, number_value)
  SELECT a.run_id, a.name, r.namespace, a.type, a.text_value, ${dialect.cast(raw('a.number_value'), 'double')}
  FROM ${dialect.rows(rows, ATTRIBUTES)} AS a JOIN ${tables.runs} AS r ON r.id = a.run_id
  WHERE true ${overwrite}`;
};

export const deleteAttributes = (
  { tables, dialect }: Scope,
  removed: readonly { runId: string; name: string }[],
): Statement => {
  const rows = removed.map(({ runId, name }) => ({ run_id: runId, name }));
  return dialect.deleteFrom({
    table: tables.attributes,
    as: 'a',
    from: sql`${dialect.rows(rows, { run_id: 'key', name: 'key' })} AS d`,
    on: raw('a.run_id = d.run_id AND a.name = d.name'),
  });
};

const ATTEMPTS = {
  run_id: 'key',
  seq: 'int',
  attempt: 'int',
  outcome: 'key',
  asked_at: 'int',
  started_at: 'int',
  finished_at: 'int',
  worker: 'key',
  error: 'text',
} as const;

/** All but the run that they belong to. */
export const ATTEMPT_FIELDS = raw(
  Object.keys(ATTEMPTS)
    .filter((column) => column !== 'run_id')
    .join(', '),
);

/** An attempt replaces an earlier one with the same number, as after `retry`. */
export const upsertAttempts = (
  { tables, dialect }: Scope,
  attempts: readonly (EndedAttempt & { runId: string })[],
): Statement => {
  const rows = attempts.map(({ runId, askedAt, startedAt, finishedAt, ...attempt }) => ({
    ...attempt,
    run_id: runId,
    asked_at: askedAt,
    started_at: startedAt,
    finished_at: finishedAt,
  }));
  const columns = raw(Object.keys(ATTEMPTS).join(', '));
  const changing = ['outcome', 'asked_at', 'started_at', 'finished_at', 'worker', 'error'];
  const overwrite = overwriting(dialect, ['run_id', 'seq', 'attempt'], changing);
  return sql`
  INSERT INTO ${tables.attempts} (${columns})
  SELECT ${columns} FROM ${dialect.rows(rows, ATTEMPTS)} AS a WHERE true ${overwrite}`;
};

/** Deletes lines with the same text and time. */
export const deleteLine = ({ tables }: Scope, { runId, message, loggedAt }: LogLine & { runId: string }): Statement =>
  sql`DELETE FROM ${tables.logs} WHERE run_id = ${runId} AND logged_at = ${loggedAt} AND message = ${message}`;

/** The transaction must have locked these runs. */
export const setCustomStatus = (
  { tables, dialect }: Scope,
  runs: readonly { id: string; status: string }[],
): Statement =>
  dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(runs, { id: 'key', status: 'text' })} AS n`,
    on: raw('r.id = n.id'),
    set: { custom_status: raw('n.status') },
  });

/** The effects of written extras on others: answers to steps, and whether runs became due. */
export interface ExtrasOutcome extends Partial<Endings> {
  woken?: boolean;
  /** Channels on which signals were released. */
  offered?: readonly string[];
}

/** Writes one kind of extras, for all writes together. */
export type ExtrasWriter = (
  tx: SqlConnection,
  scope: Scope,
  writes: readonly RunWrite[],
) => Promise<ExtrasOutcome | void>;

/** Transactions of the app's ORM. */
export class SqlTransactions implements Transactions {
  constructor(private readonly db: SqlExecutor) {}

  join(handle: unknown): Transaction {
    return this.db.join(handle);
  }

  ambient(): Transaction | undefined {
    return this.db.ambient?.();
  }

  async begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T> {
    let begun = false;
    let failure: { thrown: unknown } | undefined;
    const inside = async (handle: unknown, tx: SqlTransaction) => {
      begun = true;
      try {
        return await work(handle, tx);
      } catch (error) {
        failure = { thrown: (await lossOf(error, tx)) ?? error };
        throw failure.thrown;
      }
    };
    try {
      return await this.db.ormTransaction(inside, { once: true });
    } catch (error) {
      // An ORM may throw an error of its ROLLBACK instead.
      if (failure) throw failure.thrown;
      throw (begun ? commitLossOf(error) : undefined) ?? error;
    }
  }
}
