import {
  type AuditEvent,
  type AuditLog,
  type AuditPage,
  type AuditReader,
  knownType,
  type RecordedAuditEvent,
} from '../audit-log.js';
import type { EffectGroup } from '../effect-entry.js';
import type { EffectScope } from './effect-scope.sql.js';
import type { Transaction } from '../../protocol/transaction.js';
import { id, int, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type SqlExecutor, sqlTransaction } from '../../sql/sql-executor.js';
import { nowOf } from '../../sql/tables.js';

const COLUMNS = {
  ...({ event_id: 'text', type: 'text', operation: 'text', subject: 'text', entry_id: 'text' } as const),
  ...({ handler: 'text', details: 'text', ordinal: 'int' } as const),
};
const NAMES = raw('event_id, type, operation, subject, entry_id, handler, details');

/** Inserts events in the given order. */
export function insertEvents(scope: EffectScope, events: readonly AuditEvent[]): Statement {
  const { tables, dialect } = scope;
  const rows = events.map(({ eventId, entryId, details, ...event }, ordinal) => ({
    ...event,
    event_id: eventId,
    entry_id: entryId,
    details: JSON.stringify(details),
    ordinal,
  }));
  return sql`
  INSERT INTO ${tables.audit} (${NAMES}, recorded_at)
  SELECT ${NAMES}, ${nowOf(scope)} FROM ${dialect.rows(JSON.stringify(rows), COLUMNS)} AS g ORDER BY g.ordinal`;
}

/** A page begins after an event; if that was purged, with the oldest one that is there. */
export const selectEvents = (
  { tables }: EffectScope,
  { operation, subject }: EffectGroup,
  page?: AuditPage,
): Statement => sql`
  SELECT ${NAMES}, recorded_at FROM ${tables.audit}
  WHERE operation = ${operation} AND subject = ${subject}
  ${page?.after === undefined ? raw('') : sql`AND ${id('id')} > COALESCE((SELECT a.id FROM ${tables.audit} AS a WHERE a.event_id = ${page.after}), 0)`}
  ORDER BY ${id('id')} ${page ? sql`LIMIT ${int(page.limit)}` : raw('')}`;

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

/** Stores events next to the entries, in the transaction that changes them: exactly once. */
export class SqlAuditLog implements AuditLog, AuditReader {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
  ) {}

  async append(events: readonly AuditEvent[], tx: Transaction): Promise<void> {
    if (events.length > 0) await sqlTransaction(tx).run(insertEvents(this.scope, events));
  }

  async read(group: EffectGroup, page?: AuditPage): Promise<RecordedAuditEvent[]> {
    const { rows } = await this.db.run<EventRow>(selectEvents(this.scope, group, page));
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
