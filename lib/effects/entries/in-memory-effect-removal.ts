import { type AwaitedGroups, removable } from '../awaited-groups.js';
import type { EffectRemoval, EndedCursor, PurgedEffects, PurgeEnded } from '../effect-storage.js';
import { compare, type HeldEffect, type MemoryEffects } from './memory-effects.js';
import { inMemoryTransaction } from '../../protocol/transaction.js';

/** The counterpart of `SqlEffectRemoval`. */
export class InMemoryEffectRemoval implements EffectRemoval {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly awaited: AwaitedGroups,
  ) {}

  async purge({ status, olderThanMs, limit }: PurgeEnded, after?: EndedCursor): Promise<PurgedEffects> {
    const before = this.tables.clock.now() - olderThanMs;
    const isOld = (entry: HeldEffect) =>
      entry.status === status && entry.finishedAt !== null && entry.finishedAt <= before;
    const old = this.tables
      .sorted((entry) => isOld(entry) && (!after || byEnd(endOf(entry), after) > 0))
      .sort((a, b) => byEnd(endOf(a), endOf(b)))
      .slice(0, limit);
    const going =
      status === 'succeeded' ? old : await inMemoryTransaction(undefined, (tx) => removable(old, this.awaited, tx));
    // One may have been requeued meanwhile.
    const gone = going.filter(({ entryId }) => this.tables.entries.get(entryId)?.status === status);
    for (const { entryId } of gone) this.tables.entries.delete(entryId);
    return { purged: gone.length, next: old.length < limit ? undefined : endOf(old.at(-1)!) };
  }

  async purgeAudit(olderThanMs: number, limit: number): Promise<number> {
    const before = this.tables.clock.now() - olderThanMs;
    const { events } = this.tables;
    const old = events.slice(0, limit).filter(({ recordedAt }) => recordedAt.getTime() <= before);
    for (const event of old) events.splice(events.indexOf(event), 1);
    return old.length;
  }
}

const endOf = ({ finishedAt, entryId }: HeldEffect): EndedCursor => ({ finishedAt: finishedAt ?? 0, entryId });

const byEnd = (a: EndedCursor, b: EndedCursor): number => a.finishedAt - b.finishedAt || compare(a.entryId, b.entryId);
