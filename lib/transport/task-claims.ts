import type { ClaimedRow, MarkedRequest } from './task.sql.js';
import type { Claim, TaskReport } from '../worker/task-source.js';

/** Adds to a worker's name what makes each of its claims another one, so that an old claim never passes for a new one. */
export class ClaimMarks {
  private readonly instance = Math.random().toString(36).slice(2, 8);
  private count = 0;

  next(workerId: string): string {
    return `${workerId}#${this.instance}.${(this.count++).toString(36)}`;
  }
}

/** What became of a batch of reports. */
export interface Reported {
  /** The steps whose claim held. */
  held: ReadonlySet<string> | 'all';
  /** How many of them had no answer before. */
  written: number;
  /** The stamp of the answers, epoch ms. */
  at: number;
}

/** Leases on rows of one table, in the way of one family of databases. */
export interface RowLeases {
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /** Returns the groups of released tasks, where the rows are tasks. */
  release(claims: readonly Claim[]): Promise<string[]>;
}

/** What tasks need besides. */
export interface TaskClaims extends RowLeases {
  claim(request: MarkedRequest, claimedBy: string): Promise<ClaimedRow[]>;
  report(reports: readonly TaskReport[], sender: string): Promise<Reported>;
}

/** What answers need besides. */
export interface AnswerClaims<Row> extends RowLeases {
  lease(
    stepIds: readonly string[],
    claimedBy: string,
    leaseMs: number,
  ): Promise<(Row & { claimed_at: number | string })[]>;
  settle(claims: readonly Claim[]): Promise<void>;
}

/** A row as it stands, and who holds it. */
export interface HolderRow {
  step_id: string;
  claimed_by: string | null;
  claimed_at: number | string | null;
}

/** Those of the claims that hold by these rows. A renewal under way may have moved the stamp ahead. */
export function stillHeld<C extends Claim>(claims: readonly C[], rows: readonly HolderRow[]): C[] {
  const holders = new Map(rows.map((row) => [row.step_id, row]));
  return claims.filter(({ stepId, claimedBy, claimedAt }) => {
    const row = holders.get(stepId);
    return row?.claimed_by === claimedBy && Number(row.claimed_at) >= claimedAt;
  });
}

export const claimOf = (row: { step_id: string; claimed_by: string; claimed_at: number | string }): Claim => ({
  stepId: row.step_id,
  claimedBy: row.claimed_by,
  claimedAt: Number(row.claimed_at),
});
