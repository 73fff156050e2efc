import type { Transaction } from '../protocol/transaction.js';
import type { AuditEvent, RecordedAuditEvent } from './audit-event.js';
import type { EffectGroup } from './effect-entry.js';

/**
 * Where it is recorded what became of calls. Append only: nothing is changed, nothing deleted. Every change of an entry
 * that has to be recorded waits for the append and does not happen without it.
 */
export interface AuditLog {
  /**
   * Keeps the events: in `tx` where it is of the same storage, so that they are there exactly when that commits; or
   * elsewhere at once, so that they are there before the change they are about, and may come again with the same ids.
   *
   * @throws when they were not kept; then nothing changes.
   */
  append(events: readonly AuditEvent[], tx: Transaction): Promise<void>;
}

export interface AuditReader {
  /**
   * What became of a group, in the order in which it was recorded.
   *
   * @throws UnknownAuditEventError when there is an event of a type that this version does not know: an audit log with gaps
   *   would be no audit log.
   */
  read(group: EffectGroup): Promise<RecordedAuditEvent[]>;
}
