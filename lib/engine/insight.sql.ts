import { stepIdOf } from '../core/protocol.js';
import { amongKeys, amongNumbers, orderKey } from '../sql/dialects.js';
import { int, raw, sql, type Statement } from '../sql/statement.js';
import { type Scope, TablesAdapter } from '../sql/tables.js';
import {
  type AttemptRecord,
  type LimiterInSight,
  type ListedSteps,
  type ListSteps,
  MOST_ATTEMPTS,
  MOST_COUNTED,
  MOST_LINES,
  MOST_LISTED,
  type RunInsight,
  type RunSurroundings,
  type StepReads,
  type TaskInSight,
} from './insight.js';
import { readLimitRequest } from './limits.js';
import { SqlRunListing } from './listing.sql.js';
import { attributeOf, type ClaimedRun, type ParentClose, type RunRecord } from './run.js';
import type { LogLine } from './runs.js';
import type { StepRecord } from './step.js';
import * as runs from './tables.sql.js';
import {
  claimedOf,
  type ClaimedRow,
  numberOrNull,
  STEP_COLUMNS,
  STEP_FACTS,
  stepOf,
  type StepRow,
} from './tables.sql.js';
import { CLAIM_COLUMNS } from './unfinished.sql.js';

/** Reads data about runs for people, from tables: a few reads by key per question, without a common snapshot. */
export class SqlRunInsight extends TablesAdapter implements RunInsight {
  async attempts(runId: string, seqs?: readonly number[]): Promise<AttemptRecord[]> {
    if (seqs?.length === 0) return [];
    const { rows } = await this.db.run<AttemptRow>(selectAttempts(this.scope, runId, seqs));
    return rows.map(attemptOf);
  }

  async logs(runId: string, seq?: number): Promise<LogLine[]> {
    const { rows } = await this.db.run<LineRow>(selectLines(this.scope, runId, seq));
    return rows.map(({ seq, attempt, level, message, fields, logged_at }) => ({
      seq: numberOrNull(seq),
      attempt: numberOrNull(attempt),
      level,
      message,
      fields,
      loggedAt: Number(logged_at),
    }));
  }

  async attributes(runIds: readonly string[]): ReturnType<RunInsight['attributes']> {
    if (runIds.length === 0) return [];
    const { rows } = await this.db.run<AttributeRow>(selectAttributes(this.scope, runIds));
    return rows.map(({ run_id: runId, name, type, text_value: text, number_value: number }) => ({
      runId,
      name,
      value: attributeOf({ type, text, number: numberOrNull(number) }),
    }));
  }

  async children(runId: string, limit: number): ReturnType<RunInsight['children']> {
    const { rows } = await this.db.run<runs.RunRow & { parent_close: ParentClose | null }>(
      selectChildren(this.scope, runId, runs.RUN_COLUMNS, limit),
    );
    return rows.map((row) => ({ ...runs.runOf(row), parentClose: row.parent_close }));
  }

  async withoutPayloads(runIds: readonly string[]): Promise<RunRecord[]> {
    if (runIds.length === 0) return [];
    const { rows } = await this.db.run<runs.RunRow>(runs.selectRuns(this.scope, runIds, runs.COLUMNS_WITHOUT_PAYLOADS));
    return rows.map(runs.runOf);
  }

  async surroundings({ id }: RunRecord): Promise<RunSurroundings> {
    const { db, scope } = this;
    const { rows: waits } = await db.run<WaitRow>(selectOpenWaits(scope, id));
    const { rows: after } = await db.run<{ id: string; status: string | null }>(selectAwaitedRuns(scope, id));
    return {
      tasks: await this.tasks(id),
      signals: waits.map(({ seq, channel, deadline }) => ({
        seq: Number(seq),
        channel,
        deadline: numberOrNull(deadline),
      })),
      after: after.map((target) => ({ id: target.id, status: target.status })),
      limiters: await this.limiters(id),
    };
  }

  private async tasks(runId: string): Promise<TaskInSight[]> {
    const { db, scope } = this;
    const { rows: open } = await db.run<{ seq: Int }>(selectOpenRemotes(scope, runId));
    if (open.length === 0) return [];
    const stepIds = open.map(({ seq }) => stepIdOf(runId, Number(seq)));
    const { rows } = await db.run<TaskRow>(selectTasks(scope, stepIds));
    return rows.map(taskOf).sort((a, b) => a.seq - b.seq);
  }

  private async limiters(runId: string): Promise<LimiterInSight[]> {
    const { rows } = await this.db.run<LimiterRow>(selectLimiters(this.scope, runId));
    const limiters: LimiterInSight[] = [];
    // Only the run and its limited steps: usually one entry.
    for (const row of rows) limiters.push(await this.limiterOf(row));
    return limiters;
  }

  private async limiterOf(row: LimiterRow): Promise<LimiterInSight> {
    const { rows } = await this.db.run<{ ahead: Int; holding: Int }>(countLimiter(this.scope, row));
    const { name, key, limits } = readLimitRequest(row.limits);
    const granted = Number(row.granted) === 1;
    const ahead = granted ? 0 : Number(rows[0]?.ahead);
    const holding = Number(rows[0]?.holding);
    return { holder: row.holder, name, key, granted, limits, ahead, holding, openAt: numberOrNull(row.open_at) };
  }
}

type Int = number | string;

interface WaitRow {
  seq: Int;
  channel: string;
  deadline: Int | null;
}

const taskOf = (row: TaskRow): TaskInSight => ({
  stepId: row.step_id,
  seq: Number(row.seq),
  name: row.name,
  group: row.grp,
  attempt: Number(row.attempt),
  claimedBy: row.claimed_by,
  claimedAt: numberOrNull(row.claimed_at),
  createdAt: Number(row.created_at),
});

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
export const countLimiter = (
  { tables, dialect }: Scope,
  { limiter, turn, queued_at, holder }: LimiterRow,
): Statement => {
  const [at, since] = [Number(turn), Number(queued_at)];
  const counted = (condition: Statement) => sql`(SELECT count(*) FROM (
    SELECT 1 AS found FROM ${tables.limiterEntries} AS e WHERE e.limiter = ${limiter} AND ${condition} ${limit(MOST_COUNTED)}) AS c)`;
  const before = sql`e.granted = 0 AND e.turn <= ${at} AND (e.turn < ${at} OR e.queued_at < ${since} OR (e.queued_at = ${since} AND ${raw(orderKey(dialect, 'e.holder'))} < ${holder}))`;
  return sql`SELECT ${counted(before)} AS ahead, ${counted(raw('e.granted = 1'))} AS holding`;
};

/** Reads the history of one run from tables, by the primary key: what has changed is looked for among its steps. */
export class SqlStepReads extends TablesAdapter implements StepReads {
  async claimed(runId: string): Promise<ClaimedRun | undefined> {
    return (await this.db.run<ClaimedRow>(selectClaimed(this.scope, runId))).rows.map(claimedOf)[0];
  }

  async firstSeq(runId: string): Promise<number | undefined> {
    const { rows } = await this.db.run<{ first_seq: Int }>(selectFirstSeq(this.scope, runId));
    return rows.map((row) => Number(row.first_seq))[0];
  }

  async lastSettled(runId: string): Promise<number> {
    const { rows } = await this.db.run<{ settled: Int }>(selectLastSettled(this.scope, runId));
    return Number(rows[0]?.settled);
  }

  page({ runId, after, limit, payloads = false }: Parameters<StepReads['page']>[0]): Promise<StepRecord[]> {
    const select = payloads ? selectPart : selectFacts;
    return this.steps(select(this.scope, runId, after, limit));
  }

  settledAfter({ runId, settled, limit }: Parameters<StepReads['settledAfter']>[0]): Promise<StepRecord[]> {
    return this.steps(selectSettledAfter(this.scope, runId, settled, limit));
  }

  open(runId: string, limit: number): Promise<StepRecord[]> {
    return this.steps(selectOpen(this.scope, runId, limit));
  }

  list(query: ListSteps): Promise<ListedSteps> {
    return new SqlRunListing(this.db, this.scope).steps(query);
  }

  async lineCounts(query: Parameters<StepReads['lineCounts']>[0]): Promise<ReadonlyMap<number, number>> {
    const statement = countLines(this.scope, query, MOST_LINES);
    const { rows } = await this.db.run<{ seq: Int; line_count: Int }>(statement);
    return new Map(rows.map(({ seq, line_count: lines }) => [Number(seq), Number(lines)]));
  }

  private async steps(statement: Statement): Promise<StepRecord[]> {
    return (await this.db.run<StepRow>(statement)).rows.map(stepOf);
  }
}

export const selectClaimed = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT ${CLAIM_COLUMNS} FROM ${tables.runs} AS r WHERE r.id = ${runId}`;

export const selectFirstSeq = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT first_seq FROM ${tables.runs} WHERE id = ${runId}`;

/** A range of a history without outputs, which may be long. */
export const selectFacts = ({ tables }: Scope, runId: string, after: number, most: number): Statement => sql`
  SELECT ${STEP_FACTS} FROM ${tables.steps} WHERE run_id = ${runId} AND seq > ${after} ORDER BY run_id, seq LIMIT ${int(most)}`;

/** A range of a history with outputs and the inputs that are kept. */
export const selectPart = ({ tables }: Scope, runId: string, after: number, most: number): Statement => sql`
  SELECT ${STEP_COLUMNS}, input FROM ${tables.steps} WHERE run_id = ${runId} AND seq > ${after} ORDER BY run_id, seq LIMIT ${int(most)}`;

export const selectSettledAfter = ({ tables }: Scope, runId: string, settled: number, most: number): Statement => sql`
  SELECT ${STEP_FACTS} FROM ${tables.steps}
  WHERE run_id = ${runId} AND settled > ${settled} ORDER BY settled LIMIT ${int(most)}`;

/** The output of an open wait says what it waits for. */
export const selectOpen = ({ tables }: Scope, runId: string, most: number): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id = ${runId} AND settled IS NULL AND kind <> 'marker'
  ORDER BY COALESCE(asked_at, created_at) DESC, seq DESC LIMIT ${int(most)}`;

export const selectLastSettled = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT COALESCE(MAX(settled), 0) AS settled FROM ${tables.steps} WHERE run_id = ${runId}`;

/** By position, among the first lines of the run. */
export const countLines = (
  { tables }: Scope,
  { runId, from, to }: { runId: string; from: number; to: number },
  most: number,
): Statement => sql`
  SELECT l.seq, count(*) AS line_count
  FROM (SELECT seq FROM ${tables.logs} WHERE run_id = ${runId} ORDER BY run_id, id LIMIT ${int(most)}) AS l
  WHERE l.seq >= ${from} AND l.seq <= ${to} GROUP BY l.seq`;
