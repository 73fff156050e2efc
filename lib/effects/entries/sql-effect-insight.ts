import type { Transaction } from '../../protocol/transaction.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { Statement } from '../../sql/statement.js';
import type { EffectGroup, EffectStatus, StoredEffect } from '../effect-entry.js';
import type { EffectInsight, UnclaimedEffects } from '../effect-insight.js';
import * as statements from './effect-insight.sql.js';
import type { EffectScope } from './effect-scope.sql.js';
import { countGroup, type GroupRow } from './settle.sql.js';
import { noEntries } from './no-entries.js';

interface ShownRow {
  entry_id: string;
  operation: string;
  subject: string;
  handler: string;
  ref: string;
  status: EffectStatus;
  attempts: number | string;
  enqueued_at: number | string;
  last_attempt_at: number | string | null;
  last_error: string | null;
  finished_at: number | string | null;
  due_at: number | string | null;
}

interface WaitingRow {
  handler: string;
  since: number | string;
  at: number | string;
}

export class SqlEffectInsight implements EffectInsight {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
  ) {}

  async statusCounts(): Promise<Record<EffectStatus, number>> {
    type Row = { status: EffectStatus; entries: number | string };
    const { rows } = await this.db.run<Row>(statements.countStatuses(this.scope));
    return { ...noEntries(), ...Object.fromEntries(rows.map(({ status, entries }) => [status, Number(entries)])) };
  }

  listAbandoned(limit: number): Promise<StoredEffect[]> {
    return this.list(statements.selectAbandoned(this.scope, limit));
  }

  listScheduled(limit: number): Promise<StoredEffect[]> {
    return this.list(statements.selectScheduled(this.scope, limit));
  }

  async unclaimed(olderThanMs: number): Promise<UnclaimedEffects[]> {
    const forgotten = await this.db.run<WaitingRow>(statements.selectForgotten(this.scope, olderThanMs));
    const longest = new Map<string, UnclaimedEffects>();
    for (const { handler, ...row } of [...(await this.queued()), ...forgotten.rows]) {
      const since = Number(row.since);
      const found = { handler, since, ageMs: Number(row.at) - since };
      if (found.ageMs >= olderThanMs && found.ageMs > (longest.get(handler)?.ageMs ?? -1)) longest.set(handler, found);
    }
    return [...longest.values()].sort((a, b) => b.ageMs - a.ageMs || (a.handler < b.handler ? -1 : 1));
  }

  async isComplete(group: EffectGroup, tx?: Transaction): Promise<boolean> {
    const connection = tx ? (tx as SqlConnection) : this.db;
    const { rows } = await connection.run<GroupRow>(countGroup(this.scope, group));
    return Number(rows[0]?.entries) > 0 && Number(rows[0]?.open) === 0;
  }

  private async queued(): Promise<WaitingRow[]> {
    if (this.scope.dialect.family === 'postgres')
      return (await this.db.run<WaitingRow>(statements.selectQueued(this.scope))).rows;
    const { rows } = await this.db.run<{ handler: string }>(statements.selectHandlers(this.scope));
    if (rows.length === 0) return [];
    const handlers = rows.map(({ handler }) => handler);
    return (await this.db.run<WaitingRow>(statements.selectQueuedOf(this.scope, handlers))).rows;
  }

  private async list(statement: Statement): Promise<StoredEffect[]> {
    return (await this.db.run<ShownRow>(statement)).rows.map(storedOf);
  }
}

const storedOf = (row: ShownRow): StoredEffect => ({
  entryId: row.entry_id,
  operation: row.operation,
  subject: row.subject,
  handler: row.handler,
  ref: row.ref,
  status: row.status,
  attempts: Number(row.attempts),
  enqueuedAt: Number(row.enqueued_at),
  nextAttemptAt: numberOf(row.due_at),
  lastAttemptAt: numberOf(row.last_attempt_at),
  lastError: row.last_error,
  finishedAt: numberOf(row.finished_at),
});

const numberOf = (value: number | string | null): number | null => (value === null ? null : Number(value));
