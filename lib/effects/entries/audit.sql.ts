import { id, raw, sql, type Statement } from '../../sql/statement.js';
import type { AuditEvent } from '../audit-event.js';
import type { EffectGroup } from '../effect-entry.js';
import { type EffectScope, nowOf } from './effect-scope.sql.js';

const COLUMNS = {
  ...({ event_id: 'text', type: 'text', operation: 'text', subject: 'text', entry_id: 'text' } as const),
  ...({ handler: 'text', details: 'text', ordinal: 'int' } as const),
};
const NAMES = raw('event_id, type, operation, subject, entry_id, handler, details');

/** In the order given. */
export function insertEvents(scope: EffectScope, events: readonly AuditEvent[]): Statement {
  const { tables, dialect } = scope;
  const rows = events.map(({ eventId, entryId, details, ...event }, ordinal) => ({
    ...event,
    ...{ event_id: eventId, entry_id: entryId, details: JSON.stringify(details), ordinal },
  }));
  return sql`
  INSERT INTO ${tables.audit} (${NAMES}, recorded_at)
  SELECT ${NAMES}, ${nowOf(scope)} FROM ${dialect.rows(JSON.stringify(rows), COLUMNS)} AS g ORDER BY g.ordinal`;
}

export const selectEvents = ({ tables }: EffectScope, { operation, subject }: EffectGroup): Statement => sql`
  SELECT ${NAMES}, recorded_at FROM ${tables.audit}
  WHERE operation = ${operation} AND subject = ${subject} ORDER BY ${id('id')}`;
