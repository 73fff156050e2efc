import { type EffectGroup, type EffectStatus, noEntries, type StoredEffect } from '../effect-entry.js';
import type {
  CountedEffects,
  EffectInsight,
  EffectMoment,
  EffectStory,
  HandlerCount,
  UnclaimedEffects,
} from '../effect-storage.js';
import { type MomentQuery, nextOf, STAGE, WHAT } from '../../protocol/moment.js';
import { compare, type HeldEffect, type MemoryEffects } from './memory-effects.js';

/** The counterpart of `SqlEffectInsight`. */
export class InMemoryEffectInsight implements EffectInsight {
  constructor(private readonly tables: MemoryEffects) {}

  async statusCounts(): Promise<Record<EffectStatus, number>> {
    const counts = noEntries();
    for (const { status } of this.tables.entries.values()) counts[status]++;
    return counts;
  }

  async counts(atMost: number): Promise<Record<EffectStatus, CountedEffects>> {
    const counts = Object.entries(await this.statusCounts()).map(([status, count]) => [
      status,
      { count: Math.min(count, atMost), more: count > atMost },
    ]);
    return Object.fromEntries(counts) as Record<EffectStatus, CountedEffects>;
  }

  async countsByHandler(): Promise<HandlerCount[]> {
    const counts = new Map<string, HandlerCount>();
    for (const { handler, status } of this.tables.entries.values()) {
      const key = JSON.stringify([handler, status]);
      counts.set(key, { handler, status, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts.values()];
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

  async listOpen(group: EffectGroup, limit: number): Promise<StoredEffect[]> {
    const open = this.tables.groupOf(group).filter(({ status }) => status !== 'succeeded');
    return open
      .sort((a, b) => compare(a.entryId, b.entryId))
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
  const { lastError, error, finishedAt, dueAt: nextAttemptAt } = entry;
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
    error,
    finishedAt,
  };
}

/** The counterpart of `SqlEffectStory`. */
export class InMemoryEffectStory implements EffectStory {
  constructor(private readonly tables: MemoryEffects) {}

  async moments({ runIds, ...next }: MomentQuery): Promise<EffectMoment[]> {
    const all = runIds.flatMap((runId, run) => this.ofRun(runId).flatMap((entry) => momentsOf(entry, run)));
    return nextOf(all, next);
  }

  async entries(runIds: readonly string[], limit: number): ReturnType<EffectStory['entries']> {
    const all = runIds.flatMap((runId) => this.ofRun(runId).map(({ entryId }) => ({ runId, entryId })));
    return all.slice(0, limit);
  }

  private ofRun(runId: string): HeldEffect[] {
    return this.tables.sorted((entry) => entry.runId === runId);
  }
}

function momentsOf(entry: HeldEffect, run: number): EffectMoment[] {
  const { enqueuedAt, lastAttemptAt, finishedAt, payloadErased: isErased } = entry;
  const told = {
    run,
    stage: STAGE.beside,
    item: entry.entryId,
    call: storedOf(entry),
    isErased: isErased && entry.subject === '',
  };
  return [
    { ...told, at: enqueuedAt, what: WHAT.effectAsked },
    ...(lastAttemptAt === null ? [] : [{ ...told, at: lastAttemptAt, what: WHAT.effectAttempted }]),
    ...(finishedAt === null ? [] : [{ ...told, at: finishedAt, what: WHAT.effectEnded }]),
  ];
}
