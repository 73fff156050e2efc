import { type EffectGroup, type EffectStatus, noEntries, type StoredEffect } from '../effect-entry.js';
import type { EffectInsight, UnclaimedEffects } from '../effect-storage.js';
import { compare, type HeldEffect, type MemoryEffects } from './memory-effects.js';

/** The counterpart of `SqlEffectInsight`. */
export class InMemoryEffectInsight implements EffectInsight {
  constructor(private readonly tables: MemoryEffects) {}

  async statusCounts(): Promise<Record<EffectStatus, number>> {
    const counts = noEntries();
    for (const { status } of this.tables.entries.values()) counts[status]++;
    return counts;
  }

  async listAbandoned(limit: number): Promise<StoredEffect[]> {
    return this.tables
      .sorted(({ status }) => status === 'abandoned')
      .slice(0, limit)
      .map(storedOf);
  }

  async listScheduled(limit: number): Promise<StoredEffect[]> {
    return this.tables
      .sorted(({ status }) => status === 'scheduled')
      .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || compare(a.entryId, b.entryId))
      .slice(0, limit)
      .map(storedOf);
  }

  async unclaimed(olderThanMs: number): Promise<UnclaimedEffects[]> {
    const now = this.tables.clock.now();
    const longest = new Map<string, UnclaimedEffects>();
    for (const { handler, finishedAt, dueAt, enqueuedAt, lastAttemptAt } of this.tables.entries.values()) {
      const since = Math.max(enqueuedAt, dueAt ?? 0, lastAttemptAt ?? 0);
      const ageMs = now - since;
      if (finishedAt !== null || ageMs < olderThanMs || ageMs <= (longest.get(handler)?.ageMs ?? -1)) continue;
      longest.set(handler, { handler, since, ageMs });
    }
    return [...longest.values()].sort((a, b) => b.ageMs - a.ageMs || compare(a.handler, b.handler));
  }

  async isComplete(group: EffectGroup): Promise<boolean> {
    const entries = this.tables.groupOf(group);
    return (
      entries.length > 0 &&
      entries.every((entry) => entry.status === 'succeeded' || this.tables.completing.has(entry.entryId))
    );
  }
}

function storedOf(entry: HeldEffect): StoredEffect {
  const { entryId, operation, subject, handler, ref, status, attempts, enqueuedAt, lastAttemptAt } = entry;
  const { lastError, finishedAt, dueAt: nextAttemptAt } = entry;
  return {
    entryId,
    operation,
    subject,
    handler,
    ref,
    status,
    attempts,
    enqueuedAt,
    nextAttemptAt,
    lastAttemptAt,
    lastError,
    finishedAt,
  };
}
