import type { AuditEvent, RecordedAuditEvent } from '../audit-event.js';
import type { AuditReader, AuditLog } from '../audit-log.js';
import type { EffectGroup } from '../effect-entry.js';
import type { MemoryEffects } from './memory-effects.js';
import { knownType } from './recorded-event.js';

/** The twin of `SqlAuditLog`. */
export class InMemoryAuditLog implements AuditLog, AuditReader {
  constructor(private readonly tables: MemoryEffects) {}

  append(events: readonly AuditEvent[]): Promise<void> {
    const recordedAt = new Date(this.tables.clock.now());
    this.tables.events.push(...events.map((event) => ({ ...event, recordedAt })));
    return Promise.resolve();
  }

  async read({ operation, subject }: EffectGroup): Promise<RecordedAuditEvent[]> {
    const events = this.tables.events.filter((event) => event.operation === operation && event.subject === subject);
    return events.map((event) => ({ ...event, type: knownType(event.type) }));
  }
}
