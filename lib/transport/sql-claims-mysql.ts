import type { SqlConnection, SqlExecutor } from '../sql/sql-executor.js';
import type { Scope } from '../sql/tables.js';
import { type Identifier, raw } from '../sql/dialects/statement.js';
import type { Claim, TaskReport } from '../worker/task-source.js';
import * as statements from './lease.mysql.sql.js';
import type { AnswerRow } from './result.sql.js';
import {
  type AnswerClaims,
  type HolderRow,
  type Reported,
  reporterOf,
  type RowLeases,
  stillHeld,
  type TaskClaims,
} from './task-claims.js';
import type { ClaimedRow, MarkedRequest, TaskRow } from './task.sql.js';

/** Each operation is a short transaction: lock and read, then write by primary key. */
class MysqlLeases implements RowLeases {
  constructor(
    protected readonly db: SqlExecutor,
    protected readonly scope: Scope,
    protected readonly table: Identifier,
  ) {}

  extend(claims: readonly Claim[]): Promise<Claim[]> {
    return this.db.transaction(async (tx) => {
      const { held, at } = await this.lockHeld(tx, claims);
      if (held.length > 0) await tx.run(statements.renewRows(this.table, stepIdsOf(held), at));
      return held.map((claim) => ({ ...claim, claimedAt: at }));
    });
  }

  release(claims: readonly Claim[]): Promise<string[]> {
    return this.db.transaction(async (tx) => {
      const { held } = await this.lockHeld(tx, claims);
      if (held.length > 0) await tx.run(statements.stampRows(this.table, stepIdsOf(held), raw('NULL'), raw('NULL')));
      return [];
    });
  }

  /** The claims that still hold; their rows are locked until the transaction ends. */
  protected async lockHeld<C extends Claim>(
    tx: SqlConnection,
    claims: readonly C[],
  ): Promise<{ held: C[]; at: number }> {
    const { rows } = await tx.run<HolderRow & { at: number | string }>(
      statements.lockHolders(this.scope, this.table, claims),
    );
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
      await tx.run(statements.deleteRows(this.table, [...held]));
      const answers = reports.map((report) => ({ ...report, stepId: report.claim.stepId, by: reporterOf(report) }));
      const counting = answers.filter(({ stepId }) => held.has(stepId));
      const { affected } = await tx.run(statements.insertAnswers(this.scope, counting, at, null));
      return { held, written: affected, at };
    });
  }

  private async mayClaim(request: MarkedRequest): Promise<boolean> {
    return (await this.db.run(statements.selectClaimable(this.scope, request))).rows.length > 0;
  }

  private async lockAndStamp(tx: SqlConnection, request: MarkedRequest, claimedBy: string): Promise<ClaimedRow[]> {
    type Locked = TaskRow & { claimed_by: string | null; claimed_at: number | string | null; at: number | string };
    const { rows } = await tx.run<Locked>(statements.lockClaimable(this.scope, request));
    const taken = rows.slice(0, request.limit);
    if (taken.length === 0) return [];
    const at = Number(taken[0]?.at);
    await tx.run(
      statements.stampTasks(
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
        statements.lockFreeByKey(this.scope, this.table, stepIds, leaseMs),
      );
      if (rows.length === 0) return [];
      const at = Number(rows[0]?.at);
      await tx.run(
        statements.stampRows(
          this.table,
          rows.map(({ step_id }) => step_id),
          claimedBy,
          at,
        ),
      );
      return rows.map((row) => ({ ...row, claimed_at: at }));
    });
  }

  settle(claims: readonly Claim[]): Promise<void> {
    return this.db.transaction(async (tx) => {
      const { held } = await this.lockHeld(tx, claims);
      if (held.length > 0) await tx.run(statements.deleteRows(this.table, stepIdsOf(held)));
    });
  }
}

const stepIdsOf = (claims: readonly Claim[]): string[] => claims.map(({ stepId }) => stepId);
