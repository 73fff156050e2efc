import type { StepTask } from '../protocol/step.js';
import { hasPassed } from '../sql/commit-riders.js';
import { columnRows, type Columns } from '../sql/dialects/column-rows.js';
import { byFamily } from '../sql/dialects/dialect.js';
import { amongKeys } from '../sql/dialects/key-list.js';
import { onceNow, type Scope } from '../sql/tables.js';
import { id, int, join, raw, sql, type SqlPart, type Statement } from '../sql/dialects/statement.js';
import type { ClaimRequest } from '../worker/task-source.js';

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

const tasksJson = (tasks: readonly StepTask[]): string =>
  JSON.stringify(
    tasks.map(({ stepId, runId, seq, name, group, input, attempt, priority }) => ({
      ...(priority && { head_start: headStartOf(priority) }),
      step_id: stepId,
      run_id: runId,
      seq,
      name,
      grp: group,
      input,
      attempt,
    })),
  );

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

const insertTasks = (scope: Scope, tasks: readonly StepTask[], where: Statement): Statement => {
  const some = tasks.some(hasPriority);
  const rows = byFamily(scope.dialect, {
    postgres: () => columnRows(tasks, some ? { ...TASK_ARRAYS, head_start: HEAD_START } : TASK_ARRAYS),
    mysql: () => scope.dialect.rows(tasksJson(tasks), some ? { ...TASK_COLUMNS, head_start: 'int' } : TASK_COLUMNS),
  });
  const createdAt = some ? sql`${onceNow(scope)} - COALESCE(r.head_start, 0)` : onceNow(scope);
  return sql`
  INSERT INTO ${scope.tables.tasks} (step_id, run_id, seq, name, grp, input, attempt, status, created_at)
  SELECT r.step_id, r.run_id, r.seq, r.name, r.grp, r.input, r.attempt, 'pending', ${createdAt}
  FROM ${rows} AS r${where}`;
};

/**
 * PostgreSQL: `asked` has one row: `since`, the dispatch time, if anything was written. Notifies listeners of `tasks` on
 * commit. `of`: tasks of all runs, or of those that passed the fencing of the same statement.
 */
export const dispatchParts = (
  scope: Scope,
  tasks: readonly StepTask[],
  sender: string,
  of: 'all' | 'passed',
): Statement[] => {
  const { dialect, tables } = scope;
  const replace = dialect.onConflictUpdate([id('step_id')], (incoming) =>
    join([
      ...['run_id', 'seq', 'name', 'grp', 'input', 'attempt', 'created_at'].map(
        (column) => sql`${id(column)} = ${incoming(column)}`,
      ),
      raw('claimed_by = NULL'),
      raw('claimed_at = NULL'),
    ]),
  );
  const payload = sql`(SELECT json_build_object('from', CAST(${sender} AS text), 'since', since, 'groups', groups) FROM told_of)`;
  const only = of === 'passed' ? sql` WHERE ${hasPassed(raw('r.run_id'))}` : raw('');
  return [
    sql`dispatched AS (
    ${insertTasks(scope, tasks, only)}
    ${replace} WHERE ${tables.tasks}.attempt < EXCLUDED.attempt
    RETURNING grp, created_at
  )`,
    sql`told_of AS MATERIALIZED (
    SELECT min(created_at) AS since, json_agg(DISTINCT grp) AS groups FROM dispatched
  )`,
    sql`asked AS MATERIALIZED (
    SELECT since, CASE WHEN since IS NOT NULL THEN (${tell(scope, 'tasks', payload)}) END AS told FROM told_of
  )`,
  ];
};

/** Returns one row: `since`, the dispatch time, if anything was written. Notifies listeners of `tasks` on commit. */
export const upsertTasksPostgres = (scope: Scope, tasks: readonly StepTask[], sender: string): Statement => sql`
  WITH ${join(dispatchParts(scope, tasks, sender, 'all'), ',\n  ')}
  SELECT since, told FROM asked`;

/** `attempt` comes last: MySQL assigns from left to right, and the others compare with its old value. */
export const upsertTasksMysql = (scope: Scope, tasks: readonly StepTask[]): Statement => {
  const old = (column: string) => sql`${scope.tables.tasks}.${id(column)}`;
  const replace = scope.dialect.onConflictUpdate([id('step_id')], (incoming) => {
    const newer = (column: string, value: SqlPart) =>
      sql`${old(column)} = IF(${incoming('attempt')} > ${old('attempt')}, ${value}, ${old(column)})`;
    return join([
      ...['run_id', 'seq', 'name', 'grp', 'input', 'created_at'].map((column) => newer(column, incoming(column))),
      newer('claimed_by', raw('NULL')),
      newer('claimed_at', raw('NULL')),
      sql`${old('attempt')} = GREATEST(${old('attempt')}, ${incoming('attempt')})`,
    ]);
  });
  return sql`${insertTasks(scope, tasks, raw(''))} ${replace}`;
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
  return dialect.notify(`${tables.prefix}_${topic}`, fitting) ?? raw('SELECT NULL');
};

export const deleteTasks = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.tasks} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** Which of these have a task or an answer. One statement, so one snapshot: a concurrent report is not missed. */
export const selectAlive = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement => {
  const among = amongKeys(dialect, stepIds);
  return sql`
  SELECT step_id FROM ${tables.tasks} WHERE step_id ${among}
  UNION ALL
  SELECT step_id FROM ${tables.results} WHERE step_id ${among}`;
};

/** The holders of these tasks; locks nothing. */
export const selectHolders = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`SELECT step_id, attempt, claimed_by, claimed_at FROM ${tables.tasks} WHERE step_id ${amongKeys(dialect, stepIds)}`;
