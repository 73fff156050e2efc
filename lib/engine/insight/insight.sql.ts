import { amongKeys, amongNumbers } from '../../sql/dialects/key-list.js';
import type { Scope } from '../../sql/tables.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type AttemptRecord, MOST_ATTEMPTS, MOST_COUNTED, MOST_LINES, MOST_LISTED } from '../model/run-insight.js';
import { numberOrNull } from '../tables/run.sql.js';

type Int = number | string;

export interface AttemptRow {
  run_id: string;
  seq: Int;
  attempt: Int;
  outcome: 'failed' | 'lost' | 'deferred';
  asked_at: Int | null;
  started_at: Int | null;
  finished_at: Int | null;
  worker: string | null;
  error: string | null;
}

export const attemptOf = (row: AttemptRow): AttemptRecord => ({
  runId: row.run_id,
  seq: Number(row.seq),
  attempt: Number(row.attempt),
  outcome: row.outcome,
  askedAt: numberOrNull(row.asked_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
  worker: row.worker,
  error: row.error,
});

export interface LineRow {
  seq: Int | null;
  attempt: Int | null;
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: string | null;
  logged_at: Int;
}

export interface AttributeRow {
  run_id: string;
  name: string;
  type: 'text' | 'number' | 'boolean' | 'date';
  text_value: string | null;
  number_value: Int | null;
}

export interface TaskRow {
  step_id: string;
  seq: Int;
  name: string;
  grp: string;
  attempt: Int;
  claimed_by: string | null;
  claimed_at: Int | null;
  created_at: Int;
}

export interface LimiterRow {
  holder: string;
  limiter: string;
  granted: Int;
  turn: Int;
  queued_at: Int;
  limits: string;
  open_at: Int | null;
}

const limit = (rows: number): Statement => raw(`LIMIT ${rows}`);

export const selectAttempts = (
  { tables, dialect }: Scope,
  runId: string,
  seqs: readonly number[] | undefined,
): Statement => sql`
  SELECT run_id, seq, attempt, outcome, asked_at, started_at, finished_at, worker, error FROM ${tables.attempts}
  WHERE run_id = ${runId} ${seqs ? sql`AND seq ${amongNumbers(dialect, seqs)}` : raw('')}
  ORDER BY run_id, seq, attempt ${limit(MOST_ATTEMPTS)}`;

export const selectLines = ({ tables }: Scope, runId: string, seq: number | undefined): Statement => sql`
  SELECT seq, attempt, level, message, fields, logged_at FROM ${tables.logs}
  WHERE run_id = ${runId} ${seq === undefined ? raw('') : sql`AND seq = ${seq}`} ORDER BY run_id, id ${limit(MOST_LINES)}`;

export const selectAttributes = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT run_id, name, type, text_value, number_value FROM ${tables.attributes}
  WHERE run_id ${amongKeys(dialect, runIds)} ORDER BY run_id, name`;

export const selectChildren = ({ tables }: Scope, runId: string, columns: Statement, most: number): Statement => sql`
  SELECT ${columns}, parent_close FROM ${tables.runs}
  WHERE parent_id = ${runId} ORDER BY created_at, id ${limit(Math.trunc(most))}`;

/** Remote steps that may have a task. */
export const selectOpenRemotes = ({ tables }: Scope, runId: string): Statement => sql`
  SELECT seq FROM ${tables.steps}
  WHERE run_id = ${runId} AND kind = 'remote' AND settled IS NULL ORDER BY seq ${limit(MOST_LISTED)}`;

export const selectTasks = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement => sql`
  SELECT step_id, seq, name, grp, attempt, claimed_by, claimed_at, created_at FROM ${tables.tasks}
  WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** The waits of open signal steps, found by their step ids. */
export const selectOpenWaits = ({ tables }: Scope, runId: string): Statement => sql`
  SELECT w.seq, w.channel, w.deadline FROM (
    SELECT s.run_id, s.seq FROM ${tables.steps} AS s
    WHERE s.run_id = ${runId} AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq ${limit(MOST_LISTED)}
  ) AS o JOIN ${tables.waits} AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
  ORDER BY w.seq, w.channel ${limit(MOST_LISTED)}`;

export const selectAwaitedRuns = ({ tables }: Scope, runId: string): Statement => sql`
  SELECT e.target_id AS id, r.status FROM ${tables.dependencies} AS e LEFT JOIN ${tables.runs} AS r ON r.id = e.target_id
  WHERE e.run_id = ${runId} ORDER BY e.target_id ${limit(MOST_LISTED)}`;

export const selectLimiters = ({ tables }: Scope, runId: string): Statement => sql`
  SELECT e.holder, e.limiter, e.granted, e.turn, e.queued_at, e.limits, l.open_at
  FROM ${tables.limiterEntries} AS e LEFT JOIN ${tables.limiters} AS l ON l.limiter = e.limiter
  WHERE e.run_id = ${runId} ORDER BY e.queued_at, e.holder ${limit(MOST_LISTED)}`;

/** How many entries are before this one in its queue, and how many hold a permit: each counted up to a limit. */
export const countLimiter = ({ tables }: Scope, { limiter, turn, queued_at, holder }: LimiterRow): Statement => {
  const [at, since] = [Number(turn), Number(queued_at)];
  const counted = (condition: Statement) => sql`(SELECT count(*) FROM (
    SELECT 1 AS found FROM ${tables.limiterEntries} AS e WHERE e.limiter = ${limiter} AND ${condition} ${limit(MOST_COUNTED)}) AS c)`;
  const before = sql`e.granted = 0 AND e.turn <= ${at} AND (e.turn < ${at} OR e.queued_at < ${since} OR (e.queued_at = ${since} AND e.holder < ${holder}))`;
  return sql`SELECT ${counted(before)} AS ahead, ${counted(raw('e.granted = 1'))} AS holding`;
};
