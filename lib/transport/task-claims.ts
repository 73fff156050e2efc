import type { ClaimedRow, MarkedRequest } from './task.sql.js';
import { type AnsweredBy, workerOf } from '../protocol/claim-mark.js';
import type { Claim, TaskReport } from '../worker/task-source.js';

/** Adds a suffix to the worker's name that is unique per claim, so that an old claim never matches a new one. */
export class ClaimMarks {
  private readonly instance = Math.random().toString(36).slice(2, 8);
  private count = 0;

  next(workerId: string): string {
    return `${workerId}#${this.instance}.${(this.count++).toString(36)}`;
  }
}

export const reporterOf = ({ claim, attempt }: Pick<TaskReport, 'claim' | 'attempt'>): AnsweredBy => ({
  worker: workerOf(claim.claimedBy),
  attempt,
});

/** The result of a batch of reports. */
export interface Reported {
  /** The steps whose claim held. */
  held: ReadonlySet<string> | 'all';
  /** The number of them that had no answer before. */
  written: number;
  /** The stamp of the answers, epoch ms. */
  at: number;
}

/** Leases on rows of one table, for one family of databases. */
export interface RowLeases {
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /** Returns the groups of the released tasks, if the rows are tasks. */
  release(claims: readonly Claim[]): Promise<string[]>;
}

/** The additional operations on tasks. */
export interface TaskClaims extends RowLeases {
  claim(request: MarkedRequest, claimedBy: string): Promise<ClaimedRow[]>;
  report(reports: readonly TaskReport[], sender: string): Promise<Reported>;
}

/** The additional operations on answers. */
export interface AnswerClaims<Row> extends RowLeases {
  lease(
    stepIds: readonly string[],
    claimedBy: string,
    leaseMs: number,
  ): Promise<(Row & { claimed_at: number | string })[]>;
  settle(claims: readonly Claim[]): Promise<void>;
}

/** The current holder of a row. */
export interface HolderRow {
  step_id: string;
  attempt: number | string;
  claimed_by: string | null;
  claimed_at: number | string | null;
}

/** The claims that hold according to these rows. A concurrent renewal may have increased the stamp. */
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
