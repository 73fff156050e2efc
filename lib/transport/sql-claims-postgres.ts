import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Scope } from '../sql/tables.js';
import type { Identifier } from '../sql/dialects/statement.js';
import type { Claim, TaskReport } from '../worker/task-source.js';
import * as statements from './lease.postgres.sql.js';
import type { AnswerRow } from './result.sql.js';
import { type AnswerClaims, claimOf, type Reported, type RowLeases, type TaskClaims } from './task-claims.js';
import type { ClaimedRow, MarkedRequest } from './task.sql.js';

type ClaimRow = Parameters<typeof claimOf>[0];

/** Each operation is one statement in its own transaction. */
class PostgresLeases implements RowLeases {
  constructor(
    protected readonly db: SqlExecutor,
    protected readonly scope: Scope,
    protected readonly table: Identifier,
  ) {}

  async extend(claims: readonly Claim[]): Promise<Claim[]> {
    const { rows } = await this.db.run<ClaimRow>(statements.extendClaims(this.scope, this.table, claims));
    return rows.map(claimOf);
  }

  async release(claims: readonly Claim[]): Promise<string[]> {
    const { rows } = await this.db.run<{ grp?: string }>(statements.releaseClaims(this.scope, this.table, claims));
    return rows.flatMap(({ grp }) => grp ?? []);
  }
}

export class PostgresTaskClaims extends PostgresLeases implements TaskClaims {
  async claim(request: MarkedRequest, claimedBy: string): Promise<ClaimedRow[]> {
    return (await this.db.run<ClaimedRow>(statements.claimTasks(this.scope, request, claimedBy))).rows;
  }

  async report(reports: readonly TaskReport[], sender: string): Promise<Reported> {
    const { rows } = await this.db.run<statements.ReportedRow>(statements.reportTasks(this.scope, reports, sender));
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
        statements.leaseByKey(this.scope, this.table, stepIds, claimedBy, leaseMs),
      )
    ).rows;
  }

  async settle(claims: readonly Claim[]): Promise<void> {
    await this.db.run(statements.deleteClaimed(this.scope, this.table, claims));
  }
}
