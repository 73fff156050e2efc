import { type Dispatched, type EndedTask, readAnswerMark, type StepAnswer, type StepTask } from '../core/protocol.js';
import {
  amongKeys,
  byFamily,
  columnRows,
  type Columns,
  deleteByKeys,
  ofOne,
  orderKey,
  planned,
  type SentAs,
} from '../sql/dialects.js';
import { hasPassed } from '../sql/executor.js';
import { id, indexOf, int, join, raw, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { nowOf, onceNow, type Scope } from '../sql/tables.js';
import { isSent, type Reported, type RowLeases, SENT_FIELDS, SENT_MARK } from './claims.js';
import type { ClaimRequest, Credit, TaskReport } from './task-source.js';

export interface MarkedRequest extends Omit<ClaimRequest, 'groups'> {
  /** `since`: older tasks are skipped. */
  groups: readonly { group: string; limit: number; since: number }[];
}

export interface TaskRow {
  step_id: string;
  run_id: string;
  seq: number | string;
  name: string;
  grp: string;
  input: string | null;
  attempt: number | string;
  created_at: number | string;
}

/** A claimed row. */
export interface ClaimedRow extends TaskRow {
  claimed_by: string;
  claimed_at: number | string;
  /** The previous holders of the tasks of this claim whose lease had expired, as JSON by step id; null if none had. */
  lost: string | null;
}

/** In ms: claims are ordered by `created_at`, so a priority shifts it. */
const headStartOf = (priority = 0): number => priority * 1_000;

const hasPriority = ({ priority }: StepTask): boolean => priority !== undefined && priority !== 0;

const TASK_COLUMNS = {
  step_id: 'key',
  run_id: 'key',
  seq: 'int',
  name: 'key',
  grp: 'key',
  input: 'text',
  attempt: 'int',
} as const;

const taskRow = (task: StepTask, marks: Marks) => ({
  ...(task.priority && { head_start: headStartOf(task.priority) }),
  ...(marks.has(task) && { claimed_by: marks.get(task) }),
  step_id: task.stepId,
  run_id: task.runId,
  seq: task.seq,
  name: task.name,
  grp: task.group,
  input: task.input,
  attempt: task.attempt,
});

/** The same for PostgreSQL. */
const TASK_ARRAYS: Columns<StepTask> = {
  step_id: ['text', (task) => task.stepId],
  run_id: ['text', (task) => task.runId],
  seq: ['bigint', (task) => task.seq],
  name: ['text', (task) => task.name],
  grp: ['text', (task) => task.group],
  input: ['text', (task) => task.input],
  attempt: ['bigint', (task) => task.attempt],
};

const HEAD_START = ['bigint', ({ priority }: StepTask) => headStartOf(priority)] as const;

const insertTasks = (
  scope: Scope,
  tasks: readonly StepTask[],
  { where = raw(''), marks = NONE, as }: { where?: Statement; marks?: Marks; as?: SentAs | undefined },
): Statement => {
  const some = tasks.some(hasPriority);
  const claimed = tasks.some((task) => marks.has(task));
  const claimedBy = ['text', (task: StepTask) => marks.get(task) ?? null, 'nullable'] as const;
  const rows = byFamily(scope.dialect, {
    postgres: () =>
      columnRows(
        tasks,
        {
          ...TASK_ARRAYS,
          ...(some && { head_start: HEAD_START }),
          ...(claimed && { claimed_by: claimedBy }),
        },
        as,
      ),
    mysql: () =>
      scope.dialect.rows(
        tasks.map((task) => taskRow(task, marks)),
        {
          ...TASK_COLUMNS,
          ...(some && { head_start: 'int' }),
          ...(claimed && { claimed_by: 'key' }),
        },
      ),
  });
  // What is claimed by its dispatch has one stamp for both.
  const now = claimed ? raw('clock.at') : onceNow(scope);
  const createdAt = some ? sql`${now} - COALESCE(r.head_start, 0)` : now;
  const claim = claimed
    ? {
        columns: raw(', claimed_by, claimed_at'),
        values: raw(', r.claimed_by, CASE WHEN r.claimed_by IS NOT NULL THEN clock.at END'),
        // After JOIN, MySQL would take ON DUPLICATE KEY for its condition.
        clock: sql`, (SELECT ${nowOf(scope)} AS at) AS clock`,
      }
    : { columns: raw(''), values: raw(''), clock: raw('') };
  return sql`
  INSERT INTO ${scope.tables.tasks} (step_id, run_id, seq, name, grp, input, attempt, status, created_at${claim.columns})
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', ${createdAt}${claim.values}
  FROM ${rows} AS r${claim.clock}${where}`;
};

/** The marks of tasks that workers have accepted: those of this process, or of others by a credit. */
export type Marks = ReadonlyMap<StepTask, string>;

const NONE: Marks = new Map();

const SENT = raw(SENT_FIELDS.join(', '));
const TOLD_FIELDS = raw('grp, created_at, claimed_by, claimed_at');

export interface DispatchOptions {
  /** This process, whose workers are notified otherwise. */
  sender: string;
  /** Tasks of all runs, or of those that passed the fencing of the same statement. */
  of: 'all' | 'passed';
  /** Default: none. */
  marks?: Marks;
  as?: SentAs;
}

/**
 * PostgreSQL: `asked` has one row, whose column `told` is read by {@link dispatchedIn}. Listeners of `tasks` are notified
 * with the commit of those that are not marked; and of those that are marked as sent, whose rows come along.
 */
export const dispatchParts = (
  scope: Scope,
  tasks: readonly StepTask[],
  { sender, of, marks = NONE, as }: DispatchOptions,
): Statement[] => {
  const { dialect, tables } = scope;
  const some = tasks.some((task) => marks.has(task));
  const sends = some && tasks.some((task) => isSent(marks.get(task)));
  const replace = dialect.onConflictUpdate([id('step_id')], (incoming) =>
    join([
      ...['run_id', 'seq', 'name', 'grp', 'input', 'attempt', 'created_at'].map(
        (column) => sql`${id(column)} = ${incoming(column)}`,
      ),
      sql`claimed_by = ${some ? incoming('claimed_by') : raw('NULL')}`,
      sql`claimed_at = ${some ? incoming('claimed_at') : raw('NULL')}`,
    ]),
  );
  const where = of === 'passed' ? sql` WHERE ${hasPassed(raw('r.run_id'))}` : raw('');
  const dispatched = sql`dispatched AS (
    ${insertTasks(scope, tasks, { where, marks, as })}
    ${replace} WHERE ${tables.tasks}.attempt < EXCLUDED.attempt
    RETURNING ${sends ? sql`${SENT}, created_at` : TOLD_FIELDS}
  )`;
  if (!sends && tasks.every((task) => marks.has(task))) {
    const told = raw('CAST(json_build_array(NULL, count(claimed_by), min(claimed_at)) AS text)');
    return [dispatched, sql`asked AS (SELECT ${told} AS told, NULL AS notified FROM dispatched)`];
  }
  // Without a group, it would say that any may have tasks.
  const what = raw(sends ? `COALESCE(groups, '[]'), 'sent', sent` : 'groups');
  const payload = sql`(SELECT json_build_object('from', CAST(${sender} AS text), 'since', since, 'groups', ${what}) FROM told_of)`;
  const sent = sends
    ? sql`, json_agg(json_build_array(${SENT})) FILTER (WHERE claimed_by ~ '${raw(SENT_MARK)}') AS sent`
    : raw('');
  const free = raw(some ? ' FILTER (WHERE claimed_by IS NULL)' : '');
  const claimed = raw(some ? 'count(claimed_by) AS claimed, min(claimed_at) AS at' : '0 AS claimed, NULL AS at');
  return [
    dispatched,
    sql`told_of AS MATERIALIZED (
    SELECT min(created_at)${free} AS since, json_agg(DISTINCT grp)${free} AS groups, ${claimed}${sent} FROM dispatched
  )`,
    sql`asked AS MATERIALIZED (
    SELECT CAST(json_build_array(since, claimed, at) AS text) AS told, CASE WHEN since IS NOT NULL${raw(sends ? ' OR sent IS NOT NULL' : '')} THEN (${tell(scope, 'tasks', payload)}) END AS notified FROM told_of
  )`,
  ];
};

/** Returns one row with the column `told`. Notifies listeners of `tasks` on commit. */
export const upsertTasksPostgres = (
  scope: Scope,
  tasks: readonly StepTask[],
  sender: string,
  marks: Marks,
): Statement => sql`
  WITH ${join(dispatchParts(scope, tasks, { sender, of: 'all', marks, as: ofOne(tasks) }), ',\n  ')}
  SELECT told, notified FROM asked`;

/** Reads what {@link dispatchParts} tells. */
export function dispatchedIn(told: string): Dispatched {
  const [since, count, at] = JSON.parse(told) as [number | null, number, number | null];
  return { ...(since !== null && { since }), claimed: { count, at: at ?? 0 } };
}

/** `attempt` comes last: MySQL assigns from left to right, and the others compare with its old value. */
export const upsertTasksMysql = (scope: Scope, tasks: readonly StepTask[], marks: Marks): Statement => {
  const some = tasks.some((task) => marks.has(task));
  const old = (column: string) => sql`${scope.tables.tasks}.${id(column)}`;
  const replace = scope.dialect.onConflictUpdate([id('step_id')], (incoming) => {
    const newer = (column: string, value: SqlPart) =>
      sql`${old(column)} = IF(${incoming('attempt')} > ${old('attempt')}, ${value}, ${old(column)})`;
    return join([
      ...['run_id', 'seq', 'name', 'grp', 'input', 'created_at'].map((column) => newer(column, incoming(column))),
      newer('claimed_by', some ? incoming('claimed_by') : raw('NULL')),
      newer('claimed_at', some ? incoming('claimed_at') : raw('NULL')),
      sql`${old('attempt')} = GREATEST(${old('attempt')}, ${incoming('attempt')})`,
    ]);
  });
  return sql`${insertTasks(scope, tasks, { marks })} ${replace}`;
};

/** Of tasks that were written by several statements. */
export const together = (parts: readonly Dispatched[]): Dispatched => {
  const times = parts.flatMap(({ since }) => since ?? []);
  return {
    ...(times.length > 0 && { since: Math.min(...times) }),
    claimed: {
      count: parts.reduce((sum, { claimed }) => sum + (claimed?.count ?? 0), 0),
      at: Math.min(...parts.flatMap(({ claimed }) => (claimed?.count ? claimed.at : []))),
    },
  };
};

/** The maximum length of a notification, slightly below the server's 8,000 bytes. */
export const LONGEST_NOTIFICATION = 7_900;

/**
 * PostgreSQL: notifies with `payload`, or with an empty hint if it is too long, in the notifier's envelope: a sender
 * (`-`, because payloads name their own), and a JSON array of payloads.
 */
export const tell = (
  { dialect, tables }: Pick<Scope, 'dialect' | 'tables'>,
  topic: string,
  payload: Statement,
): Statement => {
  const envelope = sql`(SELECT '- ' || CAST(json_build_array(CAST(${payload} AS text)) AS text) AS e OFFSET 0) AS packed`;
  const fitting = sql`(SELECT CASE WHEN octet_length(e) <= ${int(LONGEST_NOTIFICATION)} THEN e ELSE '-' END FROM ${envelope})`;
  return dialect.notify(`${tables.prefix}_${topic}`, fitting, tables.home) ?? raw('SELECT NULL');
};

export const deleteTasks = ({ tables, dialect }: Scope, stepIds: readonly string[], as?: SentAs): Statement =>
  deleteByKeys(dialect, tables.tasks, 'step_id', stepIds, { as });

/**
 * Which of these have a task or an answer. One statement, so one snapshot: a concurrent report is not missed. With
 * `run_id`, so that the index of answers in their order does not have all that is asked: see {@link orderKey}.
 */
export const selectAlive = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement => {
  const among = amongKeys(dialect, stepIds);
  return sql`
  SELECT step_id, run_id FROM ${tables.tasks} WHERE step_id ${among}
  UNION ALL
  SELECT step_id, run_id FROM ${tables.results} WHERE step_id ${among}`;
};

const HOLDER = raw('step_id, attempt, claimed_by, claimed_at');

/** The holders of these tasks; locks nothing. */
export const selectHolders = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`SELECT ${HOLDER} FROM ${tables.tasks} ${dialect.forceIndex()} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** How many tasks of a group are looked through for those of a worker: claimed ones come first. */
const LOOK_AMONG = 10_000;

/**
 * The holders of the tasks that are claimed, among the first of each of these groups, or the first that were dispatched in
 * the last `withinMs`.
 */
export const selectClaimed = (scope: Scope, groups: readonly string[], withinMs?: number): Statement => {
  const { tables, dialect } = scope;
  const index = dialect.forceIndex(indexOf(tables.tasks, 'claim'));
  const recent = withinMs === undefined ? raw('') : sql` AND t.created_at >= ${onceNow(scope)} - ${int(withinMs)}`;
  const first = (group: string) => sql`(
    SELECT t.step_id, t.attempt, t.claimed_by, t.claimed_at FROM ${tables.tasks} AS t ${index}
    WHERE t.grp = ${group}${recent} ORDER BY t.created_at LIMIT ${int(LOOK_AMONG)})`;
  return sql`SELECT o.step_id, o.attempt, o.claimed_by, o.claimed_at FROM (${join(groups.map(first), ' UNION ALL ')}) AS o
    WHERE o.claimed_at IS NOT NULL`;
};

/** Whoever claims these tasks next counts an attempt that was lost, as after a lease that has expired. */
export const endLeases = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`UPDATE ${tables.tasks} ${dialect.forceIndex()} SET claimed_at = 0 WHERE step_id ${amongKeys(dialect, stepIds)}`;

export interface AnswerRow {
  step_id: string;
  run_id: string;
  seq: number | string;
  status: string;
  output: string | null;
  error: string | null;
  started_at: number | string | null;
  created_at: number | string;
  claimed_by: string | null;
}

const COLUMNS = raw('step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by');

/** The position of a read of the answers. */
export interface AnswerPosition {
  createdAt: number;
  stepId: string;
}

/** MySQL cannot use an index for a row comparison. PostgreSQL can, but with OR would read all answers of one moment. */
const isAfter = ({ dialect }: Scope, { createdAt, stepId }: AnswerPosition): Statement =>
  byFamily(dialect, {
    postgres: () =>
      sql`(created_at, ${raw(orderKey(dialect, 'step_id'))}) > ((SELECT CAST(${createdAt} AS bigint) FROM ${planned}), ${stepId})`,
    mysql: () => sql`created_at >= ${createdAt} AND (created_at > ${createdAt} OR step_id > ${stepId})`,
  });

/** The next answers in the order of (created_at, step_id), with the time of the read as `at`. */
export const selectAnswers = (scope: Scope, limit: number, position: AnswerPosition): Statement => sql`
  SELECT ${COLUMNS}, ${onceNow(scope)} AS at FROM ${scope.tables.results}
  WHERE ${isAfter(scope, position)}
  ORDER BY created_at, ${raw(orderKey(scope.dialect, 'step_id'))}
  LIMIT ${int(limit)}`;

export const deleteAnswers = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.results, 'step_id', stepIds);

/** PostgreSQL: part of a statement that commits runs. */
export const takePart = ({ tables, dialect }: Scope, stepIds: readonly string[], as: SentAs): Statement =>
  sql`took AS (
    DELETE FROM ${tables.results} WHERE step_id ${amongKeys(dialect, stepIds, as)} AND ${hasPassed(raw('run_id'))}
  )`;

const ENDINGS: Columns<EndedTask> = {
  step_id: ['text', ({ stepId }) => stepId],
  run_id: ['text', ({ runId }) => runId],
  claimed_by: ['text', ({ claimedBy }) => claimedBy],
  claimed_at: ['bigint', ({ claimedAt }) => claimedAt],
};

/**
 * PostgreSQL: part of a statement that commits runs. Locks tasks that end with runs whose fencing `held` says passed. It
 * does not wait for one that another transaction is about to end: a commit would hold many runs for as long.
 */
export const lockEndsPart = ({ tables }: Scope, ends: readonly EndedTask[], as: SentAs): Statement =>
  sql`ending AS MATERIALIZED (
    SELECT e.step_id, t.step_id IS NOT NULL AS is_held FROM ${columnRows(ends, ENDINGS, as)} AS e
    JOIN held ON held.id = e.run_id AND held.stands
    LEFT JOIN LATERAL (
      SELECT o.step_id FROM ${tables.tasks} AS o
      WHERE o.step_id = e.step_id AND o.claimed_by = e.claimed_by AND o.claimed_at >= e.claimed_at FOR UPDATE SKIP LOCKED
    ) AS t ON true
  )`;

/** The step ids of tasks that {@link lockEndsPart} has not found held, as JSON; null if it has found all. */
export const UNHELD = raw('(SELECT CAST(json_agg(step_id) AS text) FROM ending WHERE NOT is_held)');

/** PostgreSQL: part of the same statement. */
export const endPart = (scope: Scope, stepIds: readonly string[], as: SentAs): Statement =>
  sql`ended AS (
    ${deleteTasks(scope, stepIds, as)} AND ${hasPassed(raw('run_id'))}
  )`;

/** Locks those of these tasks that nobody has locked, and returns their holders. */
export const lockHolders = (scope: Scope, stepIds: readonly string[]): Statement =>
  sql`${selectHolders(scope, stepIds)} ORDER BY step_id FOR UPDATE SKIP LOCKED`;

/** Deletes answers and returns them. */
export const takeAnswersPostgres = (scope: Scope, stepIds: readonly string[]): Statement =>
  sql`${deleteAnswers(scope, stepIds)} RETURNING ${COLUMNS}`;

/** MySQL and MariaDB: locks the newest row versions. */
export const lockAnswers = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`SELECT ${COLUMNS} FROM ${tables.results} ${dialect.forceIndex()} WHERE step_id ${amongKeys(dialect, stepIds)} ORDER BY step_id FOR UPDATE`;

/** Any status but `completed` is a failure: its writer did not report success. */
export function answerOf(row: AnswerRow): StepAnswer {
  const by = readAnswerMark(row.claimed_by);
  return {
    stepId: row.step_id,
    runId: row.run_id,
    seq: Number(row.seq),
    status: row.status === 'completed' ? 'completed' : 'failed',
    output: row.output,
    error: row.error,
    startedAt: row.started_at === null ? null : Number(row.started_at),
    createdAt: Number(row.created_at),
    ...(by && { by }),
  };
}

export interface ReportOptions {
  /** This process, whose engines are notified otherwise. */
  sender: string;
  /** For engines of other processes, where the database has notifications. */
  credit?: Credit | undefined;
}

/** The additional operations on tasks. */
export interface TaskClaims extends RowLeases {
  claim(request: MarkedRequest, claimedBy: string): Promise<ClaimedRow[]>;
  report(reports: readonly TaskReport[], options: ReportOptions): Promise<Reported>;
}
