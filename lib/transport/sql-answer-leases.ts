import { byFamily } from '../sql/dialects/dialect.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Tables } from '../sql/tables.js';
import type { Claim } from '../worker/task-source.js';
import { type AnswerClaims, ClaimMarks } from './task-claims.js';
import { answerOf, type AnswerRow } from './result.sql.js';
import { MysqlAnswerClaims } from './sql-claims-mysql.js';
import { PostgresAnswerClaims } from './sql-claims-postgres.js';
import type { SqlTransportOptions } from './sql-task-dispatcher.js';
import type { StepAnswer } from '../protocol/step.js';

export interface LeasedAnswer extends StepAnswer {
  claim: Claim;
}

/**
 * For collectors that process an answer outside a transaction: only the holder of its lease processes it until the
 * lease expires. Engines do not need this; they take answers in the transaction that records them.
 */
export interface AnswerLeases {
  /** Leases those of these answers that exist and are free, or whose lease is older than `leaseMs`. */
  lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]>;
  /** Renews all leases in one statement. Returns the renewed claims; the others are lost. */
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /** Deletes the answers whose claim still holds. */
  settle(claims: readonly Claim[]): Promise<void>;
  /** Releases the claims: the answers may be claimed at once. */
  release(claims: readonly Claim[]): Promise<void>;
}

/** Leases on rows of the results table. */
export class SqlAnswerLeases implements AnswerLeases {
  private readonly claims: AnswerClaims<AnswerRow>;
  private readonly marks = new ClaimMarks();

  constructor(db: SqlExecutor, tables: Tables, { now = () => db.dialect.now }: SqlTransportOptions = {}) {
    const scope = { tables, dialect: db.dialect, now };
    this.claims = byFamily<AnswerClaims<AnswerRow>>(db.dialect, {
      postgres: () => new PostgresAnswerClaims(db, scope, tables.results),
      mysql: () => new MysqlAnswerClaims(db, scope, tables.results),
    });
  }

  async lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]> {
    if (stepIds.length === 0) return [];
    const claimedBy = this.marks.next(collectorId);
    const rows = await this.claims.lease(stepIds, claimedBy, leaseMs);
    return rows.map((row) => ({
      ...answerOf(row),
      claim: { stepId: row.step_id, claimedBy, claimedAt: Number(row.claimed_at) },
    }));
  }

  async extend(claims: readonly Claim[]): Promise<Claim[]> {
    return claims.length === 0 ? [] : this.claims.extend(claims);
  }

  async settle(claims: readonly Claim[]): Promise<void> {
    if (claims.length > 0) await this.claims.settle(claims);
  }

  async release(claims: readonly Claim[]): Promise<void> {
    if (claims.length > 0) await this.claims.release(claims);
  }
}
