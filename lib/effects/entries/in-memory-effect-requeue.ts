import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../audit-log.js';
import type { EffectRequeue } from '../effect-requeue.js';
import { requeuedEvent } from './audit-events.js';
import { compare, type MemoryEffects } from './memory-effects.js';

/** The twin of `SqlEffectRequeue`. */
export class InMemoryEffectRequeue implements EffectRequeue {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly audit: AuditLog,
  ) {}

  async requeue(entryIds: readonly string[]): Promise<string[]> {
    const wanted = () =>
      [...new Set(entryIds)]
        .flatMap((id) => this.tables.entries.get(id) ?? [])
        .filter(({ status, payloadErased }) => status === 'abandoned' && !payloadErased)
        .sort((a, b) => compare(a.entryId, b.entryId));
    const requeueId = randomUUID();
    const events = wanted().map((entry) => requeuedEvent(entry, requeueId));
    if (events.length > 0) await this.audit.append(events, {});
    // What somebody else requeued meanwhile is theirs.
    const requeued = wanted();
    for (const entry of requeued)
      this.tables.change(entry, { status: 'pending', attempts: 0, dueAt: null, lastError: null, finishedAt: null });
    this.tables.announce([...new Set(requeued.map(({ handler }) => handler))]);
    return requeued.map(({ entryId }) => entryId);
  }
}
