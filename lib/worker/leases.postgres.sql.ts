import { answerMark, hasRoomForTime, type StepAnswer } from '../core/protocol.js';
import { amongKeys, columnRows, type Columns, keyRows, ofOne, planned } from '../sql/dialects.js';
import type { SqlSessions } from '../sql/executor.js';
import { type Identifier, raw, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import { type AnswerClaims, claimOf, type Reported, reporterOf, type RowLeases } from './claims.js';
import type { Claim, TaskReport } from './task-source.js';
import {
  type AnswerRow,
  type ClaimedRow,
  LONGEST_NOTIFICATION,
  type MarkedRequest,
  type ReportOptions,
  type TaskClaims,
  tell,
} from './tasks.sql.js';

type ClaimRow = Parameters<typeof claimOf>[0];

/** Each operation is one statement in its own transaction. */
class PostgresLeases implements RowLeases {
  constructor(
    protected readonly db: SqlSessions,
    protected readonly scope: Scope,
    protected readonly table: Identifier,
  ) {}

  async extend(claims: readonly Claim[]): Promise<Claim[]> {
    const { rows } = await this.db.run<ClaimRow>(extendClaims(this.scope, this.table, claims));
    return rows.map(claimOf);
  }

  async release(claims: readonly Claim[]): Promise<string[]> {
    const { rows } = await this.db.run<{ grp?: string }>(releaseClaims(this.scope, this.table, claims));
    return rows.flatMap(({ grp }) => grp ?? []);
  }
}

export class PostgresTaskClaims extends PostgresLeases implements TaskClaims {
  async claim(request: MarkedRequest, claimedBy: string): Promise<ClaimedRow[]> {
    return (await this.db.run<ClaimedRow>(claimTasks(this.scope, request, claimedBy))).rows;
  }

  async report(reports: readonly TaskReport[], options: ReportOptions): Promise<Reported> {
    const { rows } = await this.db.run<ReportedRow>(reportTasks(this.scope, reports, options));
    const { ended, held, written, at } = rows[0] ?? { ended: 0, held: null, written: 0, at: null };
    const all = Number(ended) >= reports.length;
    return {
      held: all ? 'all' : new Set(JSON.parse(held ?? '[]') as string[]),
      written: Number(written),
      at: Number(at),
    };
  }
}

export class PostgresAnswerClaims extends PostgresLeases implements AnswerClaims<AnswerRow> {
  async lease(
    stepIds: readonly string[],
    claimedBy: string,
    leaseMs: number,
  ): Promise<(AnswerRow & { claimed_at: string })[]> {
    return (
      await this.db.run<AnswerRow & { claimed_at: string }>(
        leaseByKey(this.scope, this.table, stepIds, claimedBy, leaseMs),
      )
    ).rows;
  }

  async settle(claims: readonly Claim[]): Promise<void> {
    await this.db.run(deleteClaimed(this.scope, this.table, claims));
  }
}

/*
 * These stay fast on any table, whether fresh, bloated or unanalysed, without session settings. Rows are looked up one
 * by one in a LATERAL (a locking, limited or OFFSET subquery is never flattened into a hash join). They are changed by
 * `ctid = ANY (ARRAY(…))`, for which the planner has no reason to scan the table.
 */

/** The commit need not be flushed: a lease that a server crash loses is simply claimed again. */
const asynchronously = (value: SqlPart): Statement =>
  sql`(SELECT CAST(${value} AS varchar) FROM (SELECT set_config('synchronous_commit', 'off', true) AS set OFFSET 0) AS s WHERE s.set IS NOT NULL)`;

const clock = (scope: Scope): Statement => sql`clock AS MATERIALIZED (SELECT ${nowOf(scope)} AS at)`;

const isFree = (leaseMs: number): Statement =>
  sql`(t.claimed_at IS NULL OR t.claimed_at < (SELECT at FROM clock) - CAST(${leaseMs} AS bigint))`;

/**
 * `LIMIT g.quota` is unknown to the planner, since groups are sent as a list, also a single one: it then assumes a tenth
 * of the rows, and reads the index in order instead of sorting the group's backlog. Without the CASE it would estimate
 * that hardly any row is free; it assumes that the expression is rarely null.
 */
const oldestOfGroup = ({ tables }: Scope, names: Statement, leaseMs: number): Statement => sql`
      SELECT t.ctid AS tid, t.step_id, t.claimed_by, t.claimed_at FROM ${tables.tasks} AS t
      WHERE t.grp = g.grp AND t.created_at >= g.since AND CASE WHEN ${isFree(leaseMs)} AND t.name ${names} THEN 1 END IS NOT NULL
      ORDER BY t.created_at
      LIMIT g.quota
      FOR UPDATE SKIP LOCKED`;

const TIME = sql` || '.' || to_hex((SELECT at FROM clock))`;
const NOTHING = sql``;

/** The claim is marked with its time, as `claimedFrom` does it. */
export const claimTasks = (scope: Scope, request: MarkedRequest, claimedBy: string): Statement => {
  const { groups, names, limit, leaseMs } = request;
  const asked = groups.map(({ group, limit: quota, since }) => ({ grp: group, quota, since }));
  return sql`
  WITH ${clock(scope)}, picked AS MATERIALIZED (
    SELECT o.tid, o.step_id, o.claimed_by, o.claimed_at
    FROM ${scope.dialect.rows(asked, { grp: 'key', quota: 'int', since: 'int' })} AS g CROSS JOIN ${planned}
    CROSS JOIN LATERAL (${oldestOfGroup(scope, amongKeys(scope.dialect, names), leaseMs)}
    ) AS o
    LIMIT ${limit}
  )
  UPDATE ${scope.tables.tasks} AS t
  SET claimed_by = ${asynchronously(claimedBy)}${hasRoomForTime(claimedBy) ? TIME : NOTHING}, claimed_at = (SELECT at FROM clock),
      attempt = t.attempt + CASE WHEN t.claimed_at IS NULL THEN 0 ELSE 1 END
  WHERE t.ctid = ANY (ARRAY(SELECT tid FROM picked))
  RETURNING t.step_id, t.run_id, t.seq, t.name, t.grp, t.input, t.attempt, t.created_at, t.claimed_by, t.claimed_at,
    (SELECT CAST(json_object_agg(step_id, COALESCE(claimed_by, '')) AS text) FROM picked WHERE claimed_at IS NOT NULL) AS lost`;
};

/** Leases rows of `table` by their keys, for collecting answers. */
export const leaseByKey = (
  scope: Scope,
  table: Identifier,
  stepIds: readonly string[],
  claimedBy: string,
  leaseMs: number,
): Statement => sql`
  WITH ${clock(scope)}, picked AS MATERIALIZED (
    SELECT o.tid FROM ${keyRows(stepIds)} AS k
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid FROM ${table} AS t WHERE t.step_id = k.key AND ${isFree(leaseMs)} FOR UPDATE SKIP LOCKED
    ) AS o
  )
  UPDATE ${table} AS t
  SET claimed_by = ${asynchronously(claimedBy)}, claimed_at = (SELECT at FROM clock)
  WHERE t.ctid = ANY (ARRAY(SELECT tid FROM picked))
  RETURNING t.*`;

const CLAIM_COLUMNS: Columns<Claim> = {
  step_id: ['text', (claim) => claim.stepId],
  claimed_by: ['text', (claim) => claim.claimedBy],
  claimed_at: ['bigint', (claim) => claim.claimedAt],
};

/** The rows whose claim still holds, with the columns of the claims. */
const held = <Row>(table: Identifier, rows: readonly Row[], columns: Columns<Row>): Statement => sql`
  held AS MATERIALIZED (
    SELECT o.tid, o.run_id, o.seq, c.* FROM ${columnRows(rows, columns, ofOne(rows))} AS c CROSS JOIN ${planned}
    CROSS JOIN LATERAL (
      SELECT t.ctid AS tid, t.run_id, t.seq FROM ${table} AS t
      WHERE t.step_id = c.step_id AND t.claimed_by = c.claimed_by AND t.claimed_at >= c.claimed_at OFFSET 0
    ) AS o
  )`;

/**
 * A statement that waited for a row that was claimed again meanwhile continues with the new row version. PostgreSQL
 * before 18.1, 17.7, 16.11, 15.15 and 14.20 does not compare its ctid: so the new version's owner is compared too.
 */
const stillHeld = raw(
  `ctid = ANY (ARRAY(SELECT tid FROM held)) AND claimed_by = ANY (ARRAY(SELECT DISTINCT claimed_by FROM held))`,
);

export const extendClaims = (scope: Scope, table: Identifier, claims: readonly Claim[]): Statement => sql`
  WITH ${clock(scope)}, ${held(table, claims, CLAIM_COLUMNS)}
  UPDATE ${table} SET claimed_at = (SELECT at FROM clock) WHERE ${stillHeld} RETURNING step_id, claimed_by, claimed_at`;

export const releaseClaims = (_scope: Scope, table: Identifier, claims: readonly Claim[]): Statement => sql`
  WITH ${held(table, claims, CLAIM_COLUMNS)}
  UPDATE ${table} SET claimed_by = NULL, claimed_at = NULL WHERE ${stillHeld} RETURNING *`;

export const deleteClaimed = (_scope: Scope, table: Identifier, claims: readonly Claim[]): Statement => sql`
  WITH ${held(table, claims, CLAIM_COLUMNS)}
  DELETE FROM ${table} WHERE ${stillHeld}`;

const REPORT_COLUMNS: Columns<TaskReport> = {
  step_id: ['text', ({ claim }) => claim.stepId],
  claimed_by: ['text', ({ claim }) => claim.claimedBy],
  claimed_at: ['bigint', ({ claim }) => claim.claimedAt],
  status: ['text', ({ status }) => status],
  output: ['text', ({ output }) => output, 'nullable'],
  error: ['text', ({ error }) => error, 'nullable'],
  started_at: ['bigint', ({ startedAt }) => startedAt, 'nullable'],
  mark: ['text', (report) => answerMark(reporterOf(report))],
};

/** The minimum length of an answer in a notification besides its texts. */
const LEAST_OF_AN_ANSWER = 50;

/** Whether all answers may fit into one notification, or into so many bytes. */
export function fitsNotification(
  answers: readonly Pick<StepAnswer, 'stepId' | 'output' | 'error'>[],
  most = LONGEST_NOTIFICATION,
): boolean {
  let length = 0;
  for (const { stepId, output, error } of answers)
    length += stepId.length + (output?.length ?? 0) + (error?.length ?? 0) + LEAST_OF_AN_ANSWER;
  return length <= most;
}

/** A credit must not displace answers, whose length is only estimated. In bytes. */
const LONGEST_CREDIT = 1_500;
const SHORT_ANSWERS = 2_000;

export interface ReportedRow {
  /** The number of claims that held. */
  ended: number | string;
  /** The step ids whose claim held, as JSON; null if all did, or none. */
  held: string | null;
  /** The number of them that had no answer before. */
  written: number | string;
  at: number | string | null;
}

/** The fields with which a listener can use an answer without reading its row. */
export const ANSWER_FIELDS = [
  ...['step_id', 'run_id', 'seq', 'status', 'output', 'error', 'started_at', 'created_at'],
  'claimed_by',
];

/**
 * Ends tasks and writes their answers; returns one {@link ReportedRow}. Its notification contains small answers, and the
 * credit for their runs.
 */
export const reportTasks = (
  scope: Scope,
  reports: readonly TaskReport[],
  { sender, credit }: ReportOptions,
): Statement => {
  const { tables } = scope;
  // Skips building the notification if the answers cannot fit.
  const texts = reports.map(({ claim, output, error }) => ({ stepId: claim.stepId, output, error }));
  const fields = fitsNotification(texts) ? ANSWER_FIELDS : [];
  const answers =
    fields.length > 0
      ? sql`(SELECT json_agg(${raw(`json_build_array(${fields.join(', ')})`)}) FROM written)`
      : sql`NULL`;
  const given = credit ? JSON.stringify(credit) : '';
  const isShort = credit && Buffer.byteLength(given) <= LONGEST_CREDIT && fitsNotification(texts, SHORT_ANSWERS);
  const along = isShort ? sql`, 'credit', CAST(${given} AS json)` : NOTHING;
  const payload = sql`json_build_object('from', CAST(${sender} AS text), 'answers', ${answers}${along})`;
  // One timestamp for all: a notification must match the row.
  // IS TRUE keeps the lookup a hashed subplan, where a semi-join might loop over all pairs.
  return sql`
  WITH ${clock(scope)}, ${held(tables.tasks, reports, REPORT_COLUMNS)}, gone AS (
    DELETE FROM ${tables.tasks} WHERE ${stillHeld} RETURNING step_id
  ), written AS (
    INSERT INTO ${tables.results} (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock), mark FROM held
    WHERE (step_id IN (SELECT step_id FROM gone)) IS TRUE
    ON CONFLICT (step_id) DO NOTHING
    RETURNING ${raw(fields.length > 0 ? fields.join(', ') : 'created_at')}
  )
  SELECT (SELECT count(*) FROM gone) AS ended,
    CASE WHEN (SELECT count(*) FROM gone) < CAST(${reports.length} AS bigint)
      THEN (SELECT CAST(json_agg(step_id) AS text) FROM gone) END AS held,
    (SELECT count(*) FROM written) AS written, (SELECT max(created_at) FROM written) AS at,
    CASE WHEN EXISTS (SELECT FROM written) THEN (${tell(scope, 'results', payload)}) END AS told`;
};
