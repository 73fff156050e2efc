import type { Transaction } from '../../protocol/transaction.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import type { AuditEvent, RecordedAuditEvent } from '../audit-event.js';
import type { AuditReader, AuditLog } from '../audit-log.js';
import type { EffectGroup } from '../effect-entry.js';
import { insertEvents, selectEvents } from './audit.sql.js';
import type { EffectScope } from './effect-scope.sql.js';
import { knownType } from './recorded-event.js';

interface EventRow {
  event_id: string;
  type: string;
  operation: string;
  subject: string;
  entry_id: string | null;
  handler: string | null;
  details: string;
  recorded_at: number | string;
}

/** Beside the entries, and in the transaction that changes them: exactly once. */
export class SqlAuditLog implements AuditLog, AuditReader {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
  ) {}

  async append(events: readonly AuditEvent[], tx: Transaction): Promise<void> {
    if (events.length > 0) await (tx as SqlConnection).run(insertEvents(this.scope, events));
  }

  async read(group: EffectGroup): Promise<RecordedAuditEvent[]> {
    const { rows } = await this.db.run<EventRow>(selectEvents(this.scope, group));
    return rows.map((row) => ({
      eventId: row.event_id,
      type: knownType(row.type),
      operation: row.operation,
      subject: row.subject,
      entryId: row.entry_id,
      handler: row.handler,
      details: JSON.parse(row.details) as RecordedAuditEvent['details'],
      recordedAt: new Date(Number(row.recorded_at)),
    }));
  }
}
