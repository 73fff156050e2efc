import { answerMark, claimedFrom, type StepAnswer } from '../core/protocol.js';
import { deleteByKeys, keyList, lockFirst, lockFirstOf, selectBehind } from '../sql/dialects.js';
import type { SqlConnection, SqlSessions } from '../sql/executor.js';
import { id, type Identifier, indexOf, join, raw, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import { type AnswerClaims, type HolderRow, type Reported, reporterOf, type RowLeases, stillHeld } from './claims.js';
import type { Claim, TaskReport } from './task-source.js';
import type { AnswerRow, ClaimedRow, MarkedRequest, TaskClaims, TaskRow } from './tasks.sql.js';

/** Each operation is a short transaction: lock and read, then write by primary key. */
class MysqlLeases implements RowLeases {
  constructor(
    protected readonly db: SqlSessions,
    protected readonly scope: Scope,
    protected readonly table: Identifier,
  ) {}

  extend(claims: readonly Claim[]): Promise<Claim[]> {
    return this.db.transaction(async (tx) => {
      const { held, at } = await this.lockHeld(tx, claims);
      if (held.length > 0) await tx.run(stampRows(this.scope, this.table, stepIdsOf(held), { claimed_at: at }));
      return held.map((claim) => ({ ...claim, claimedAt: at }));
    });
  }

  release(claims: readonly Claim[]): Promise<string[]> {
    return this.db.transaction(async (tx) => {
      const { held } = await this.lockHeld(tx, claims);
      if (held.length > 0) await tx.run(stampRows(this.scope, this.table, stepIdsOf(held), FREE));
      return [];
    });
  }

  /** The claims that still hold; their rows are locked until the transaction ends. */
  protected async lockHeld<C extends Claim>(
    tx: SqlConnection,
    claims: readonly C[],
  ): Promise<{ held: C[]; at: number }> {
    const { rows } = await tx.run<HolderRow & { at: number | string }>(lockHolders(this.scope, this.table, claims));
    return { held: stillHeld(claims, rows), at: Number(rows[0]?.at ?? 0) };
  }
}

export class MysqlTaskClaims extends MysqlLeases implements TaskClaims {
  private idle = false;

  async claim(request: MarkedRequest, claimedBy: string): Promise<ClaimedRow[]> {
    if (this.idle && !(await this.mayClaim(request))) return [];
    const claimed = await this.db.transaction((tx) => this.lockAndStamp(tx, request, claimedBy));
    this.idle = claimed.length === 0;
    return claimed;
  }

  report(reports: readonly TaskReport[]): Promise<Reported> {
    return this.db.transaction(async (tx) => {
      const { held: claims, at } = await this.lockHeld(
        tx,
        reports.map(({ claim }) => claim),
      );
      const held = new Set(stepIdsOf(claims));
      if (held.size === 0) return { held, written: 0, at };
      await tx.run(deleteRows(this.scope, this.table, [...held]));
      const answers = reports.map((report) => ({ ...report, stepId: report.claim.stepId, by: reporterOf(report) }));
      const counting = answers.filter(({ stepId }) => held.has(stepId));
      const { affected } = await tx.run(insertAnswers(this.scope, counting, at, null));
      return { held, written: affected, at };
    });
  }

  private async mayClaim(request: MarkedRequest): Promise<boolean> {
    return (await this.db.run(selectClaimable(this.scope, request))).rows.length > 0;
  }

  private async lockAndStamp(tx: SqlConnection, request: MarkedRequest, mark: string): Promise<ClaimedRow[]> {
    type Locked = TaskRow & { claimed_by: string | null; claimed_at: number | string | null; at: number | string };
    const of = (groups: MarkedRequest['groups']) => ({ ...request, groups });
    const rows = await lockFirstOf(request.groups, {
      lock: async (groups, window) => (await tx.run<Locked>(lockClaimable(this.scope, of(groups), window))).rows,
      behind: async (groups, window) =>
        (await tx.run<Pick<Locked, 'grp'>>(selectGroupsBehind(this.scope, of(groups), window))).rows,
      isOf: ({ grp }, { group }) => grp === group,
    });
    const taken = rows.slice(0, request.limit);
    if (taken.length === 0) return [];
    const at = Number(taken[0]?.at);
    const claimedBy = claimedFrom(mark, at);
    await tx.run(
      stampTasks(
        this.scope,
        taken.map(({ step_id }) => step_id),
        claimedBy,
        at,
      ),
    );
    return taken.map((row) => {
      const reclaimed = row.claimed_at !== null;
      return {
        ...row,
        attempt: Number(row.attempt) + (reclaimed ? 1 : 0),
        claimed_by: claimedBy,
        claimed_at: at,
        lost: reclaimed ? JSON.stringify({ [row.step_id]: row.claimed_by ?? '' }) : null,
      };
    });
  }
}

export class MysqlAnswerClaims extends MysqlLeases implements AnswerClaims<AnswerRow> {
  lease(
    stepIds: readonly string[],
    claimedBy: string,
    leaseMs: number,
  ): Promise<(AnswerRow & { claimed_at: number })[]> {
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<AnswerRow & { at: number | string }>(
        lockFreeByKey(this.scope, this.table, stepIds, leaseMs),
      );
      if (rows.length === 0) return [];
      const at = Number(rows[0]?.at);
      await tx.run(
        stampRows(
          this.scope,
          this.table,
          rows.map(({ step_id }) => step_id),
          { claimed_by: claimedBy, claimed_at: at },
        ),
      );
      return rows.map((row) => ({ ...row, claimed_at: at }));
    });
  }

  settle(claims: readonly Claim[]): Promise<void> {
    return this.db.transaction(async (tx) => {
      const { held } = await this.lockHeld(tx, claims);
      if (held.length > 0) await tx.run(deleteRows(this.scope, this.table, stepIdsOf(held)));
    });
  }
}

const stepIdsOf = (claims: readonly Claim[]): string[] => claims.map(({ stepId }) => stepId);

/*
 * MySQL and MariaDB have no UPDATE … RETURNING, so a change of leases is a transaction: lock and read, then write by
 * primary key in key order.
 */

const FREE = { claimed_by: raw('NULL'), claimed_at: raw('NULL') };

const isFree = (scope: Scope, leaseMs: number): Statement =>
  sql`(claimed_at IS NULL OR claimed_at < ${nowOf(scope)} - ${leaseMs})`;

/** Not padded like other lists: there are few names, and they are the same for each claim. */
const amongNames = (names: readonly string[]): Statement => sql`IN (${join([...names].sort())})`;

/** The claimable tasks of each group, the oldest first. Forces the index: any other plan would read and sort the whole backlog. */
const oldestOfGroups = (scope: Scope, request: MarkedRequest) =>
  request.groups.map(({ group, since, limit }) => {
    const where = sql`grp = ${group} AND created_at >= ${since} AND ${isFree(scope, request.leaseMs)} AND name ${amongNames(request.names)}`;
    const select = (columns: Statement) =>
      sql`SELECT ${columns} FROM ${scope.tables.tasks} FORCE INDEX (${indexOf(scope.tables.tasks, 'claim')}) WHERE ${where} ORDER BY created_at`;
    return { where, select, limit };
  });

/** Whether there is anything to claim: a plain read, so that an idle worker locks nothing and opens no transaction. */
export const selectClaimable = (scope: Scope, request: MarkedRequest): Statement => {
  const probes = oldestOfGroups(scope, request).map(({ select }) => sql`(${select(raw('1 AS found'))} LIMIT 1)`);
  return sql`SELECT 1 AS found FROM (${join(probes, ' UNION ALL ')}) AS probes LIMIT 1`;
};

/** Locks up to `limit` tasks of each group, skipping those that others have locked. */
export const lockClaimable = (scope: Scope, request: MarkedRequest, window: number): Statement => {
  const columns = sql`step_id, run_id, seq, name, grp, input, attempt, claimed_by, claimed_at, created_at, ${nowOf(scope)} AS at`;
  const first = { table: scope.tables.tasks, key: id('step_id'), columns };
  const probes = oldestOfGroups(scope, request).map((oldest) => lockFirst({ ...first, ...oldest }, window));
  return join(probes, ' UNION ALL ');
};

/** The groups that have more than such a window. */
export const selectGroupsBehind = (scope: Scope, request: MarkedRequest, window: number): Statement =>
  join(
    oldestOfGroups(scope, request).map((oldest) => selectBehind(oldest, raw('grp'), window)),
    ' UNION ALL ',
  );

/** `attempt` comes first: assignments run from left to right, and it reads the old `claimed_at`. */
export const stampTasks = (scope: Scope, stepIds: readonly string[], claimedBy: string, at: number): Statement =>
  sql`
  UPDATE ${scope.tables.tasks} FORCE INDEX (PRIMARY)
  SET attempt = attempt + (claimed_at IS NOT NULL), claimed_by = ${claimedBy}, claimed_at = ${at}
  WHERE step_id IN ${keyList(stepIds)}`;

/** Without `claimed_by`, the holders do not change. */
export const stampRows = (
  { dialect }: Scope,
  table: Identifier,
  stepIds: readonly string[],
  stamp: { claimed_by?: SqlPart; claimed_at: SqlPart },
): Statement =>
  sql`UPDATE ${table} AS t FORCE INDEX (PRIMARY) SET ${dialect.assign('t', stamp)} WHERE t.step_id IN ${keyList(stepIds)}`;

/** Locks those of the rows that are free. */
export const lockFreeByKey = (
  scope: Scope,
  table: Identifier,
  stepIds: readonly string[],
  leaseMs: number,
): Statement => sql`
  SELECT t.*, ${nowOf(scope)} AS at FROM ${table} AS t FORCE INDEX (PRIMARY)
  WHERE step_id IN ${keyList(stepIds)} AND ${isFree(scope, leaseMs)} ORDER BY step_id FOR UPDATE SKIP LOCKED`;

/** Locks rows and returns their holders. */
export const lockHolders = (scope: Scope, table: Identifier, claims: readonly Claim[]): Statement => sql`
  SELECT step_id, claimed_by, claimed_at, ${nowOf(scope)} AS at
  FROM ${table} FORCE INDEX (PRIMARY) WHERE step_id IN ${keyList(stepIdsOf(claims))} ORDER BY step_id FOR UPDATE`;

export const deleteRows = ({ dialect }: Scope, table: Identifier, stepIds: readonly string[]): Statement =>
  deleteByKeys(dialect, table, 'step_id', stepIds);

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
  FROM ${dialect.rows(rows, ANSWER)} AS r`,
    id('step_id'),
  );
};
