import { answerMark } from '../protocol/claim-mark.js';
import type { StepAnswer } from '../protocol/step.js';
import { keyList } from '../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../sql/tables.js';
import { id, type Identifier, int, join, raw, sql, type SqlPart, type Statement } from '../sql/dialects/statement.js';
import type { Claim } from '../worker/task-source.js';
import { type MarkedRequest } from './task.sql.js';

/*
 * MySQL and MariaDB have no UPDATE … RETURNING, so a change of leases is a transaction: lock and read, then write by
 * primary key in key order.
 */

const isFree = (scope: Scope, leaseMs: number): Statement =>
  sql`(claimed_at IS NULL OR claimed_at < ${nowOf(scope)} - ${leaseMs})`;

/** Not padded like other lists: there are few names, and they are the same for each claim. */
const amongNames = (names: readonly string[]): Statement => sql`IN (${join([...names].sort())})`;

/** Forces the index: with any other plan the locking read would lock the whole backlog. */
const oldestOfGroup = (scope: Scope, request: MarkedRequest, columns: Statement, i: number): Statement => {
  const { group, since } = request.groups[i] as MarkedRequest['groups'][number];
  return sql`SELECT ${columns} FROM ${scope.tables.tasks} FORCE INDEX (${claimIndex(scope)})
  WHERE grp = ${group} AND created_at >= ${since} AND ${isFree(scope, request.leaseMs)} AND name ${amongNames(request.names)}
  ORDER BY created_at`;
};

const claimIndex = ({ tables }: Scope): Identifier => id(`${tables.prefix}_transport_tasks_claim`);

/** Whether there is anything to claim: a plain read, so that an idle worker locks nothing and opens no transaction. */
export const selectClaimable = (scope: Scope, request: MarkedRequest): Statement => {
  const probes = request.groups.map((_, i) => sql`(${oldestOfGroup(scope, request, raw('1 AS found'), i)} LIMIT 1)`);
  return sql`SELECT 1 AS found FROM (${join(probes, ' UNION ALL ')}) AS probes LIMIT 1`;
};

/** Locks up to `limit` tasks, skipping those that others have locked. */
export const lockClaimable = (scope: Scope, request: MarkedRequest): Statement => {
  const columns = sql`step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, ${nowOf(scope)} AS at`;
  const probes = request.groups.map(
    ({ limit }, i) => sql`(${oldestOfGroup(scope, request, columns, i)} LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED)`,
  );
  return join(probes, ' UNION ALL ');
};

/** `attempt` comes first: assignments run from left to right, and it reads the old `claimed_at`. */
export const stampTasks = (
  { tables }: Scope,
  stepIds: readonly string[],
  claimedBy: string,
  at: number,
): Statement => sql`
  UPDATE ${tables.tasks} SET attempt = attempt + (claimed_at IS NOT NULL), claimed_by = ${claimedBy}, claimed_at = ${at}
  WHERE step_id IN ${keyList(stepIds)}`;

export const stampRows = (
  table: Identifier,
  stepIds: readonly string[],
  claimedBy: SqlPart,
  at: SqlPart,
): Statement => sql`
  UPDATE ${table} SET claimed_by = ${claimedBy}, claimed_at = ${at} WHERE step_id IN ${keyList(stepIds)}`;

/** Renews leases; the holders do not change. */
export const renewRows = (table: Identifier, stepIds: readonly string[], at: number): Statement => sql`
  UPDATE ${table} SET claimed_at = ${at} WHERE step_id IN ${keyList(stepIds)}`;

/** Locks those of the rows that are free. */
export const lockFreeByKey = (
  scope: Scope,
  table: Identifier,
  stepIds: readonly string[],
  leaseMs: number,
): Statement => sql`
  SELECT ${table}.*, ${nowOf(scope)} AS at FROM ${table}
  WHERE step_id IN ${keyList(stepIds)} AND ${isFree(scope, leaseMs)} ORDER BY step_id FOR UPDATE SKIP LOCKED`;

/** Locks rows and returns their holders. */
export const lockHolders = (scope: Scope, table: Identifier, claims: readonly Claim[]): Statement => sql`
  SELECT step_id, claimed_by, claimed_at, ${nowOf(scope)} AS at FROM ${table}
  WHERE step_id IN ${keyList(claims.map(({ stepId }) => stepId))} ORDER BY step_id FOR UPDATE`;

export const deleteRows = (table: Identifier, stepIds: readonly string[]): Statement =>
  sql`DELETE FROM ${table} WHERE step_id IN ${keyList(stepIds)}`;

const ANSWER = {
  step_id: 'key',
  run_id: 'key',
  seq: 'int',
  status: 'key',
  output: 'text',
  error: 'text',
  started_at: 'int',
  claimed_by: 'key',
} as const;

/**
 * Keeps answers that already exist. `claimed_by` says who answered; else it is `mark`, which later identifies the new
 * rows. Neither is a lease, since it has no time.
 */
export const insertAnswers = (
  { tables, dialect }: Scope,
  answers: readonly Omit<StepAnswer, 'createdAt'>[],
  at: SqlPart,
  mark: string | null,
): Statement => {
  const rows = answers.map(({ stepId, runId, seq, status, output, error, startedAt, by }) => ({
    step_id: stepId,
    run_id: runId,
    seq,
    status,
    output,
    error,
    started_at: startedAt,
    claimed_by: by ? answerMark(by) : mark,
  }));
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.results} (step_id, run_id, seq, status, output, error, started_at, created_at, claimed_by)
  SELECT r.step_id, r.run_id, r.seq, r.status, r.output, r.error, r.started_at, ${at}, r.claimed_by
  FROM ${dialect.rows(JSON.stringify(rows), ANSWER)} AS r`,
    id('step_id'),
  );
};
