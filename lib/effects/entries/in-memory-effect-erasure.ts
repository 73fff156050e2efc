import { type AwaitedGroups, removable } from '../awaited-groups.js';
import type { EffectErasure, EraseEffects, ErasedEffects, KeptEffect } from '../effect-erasure.js';
import { compare, type HeldEffect, type MemoryEffects } from './memory-effects.js';
import { inMemoryTransaction } from '../../protocol/transaction.js';

/** The counterpart of `SqlEffectErasure`. */
export class InMemoryEffectErasure implements EffectErasure {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly awaited: AwaitedGroups,
  ) {}

  async erase(request: EraseEffects): Promise<ErasedEffects> {
    const { after = '', limit } = request;
    const isErasable = ({ entryId, status }: HeldEffect) =>
      entryId > after && (status === 'succeeded' || (request.discards && status === 'abandoned'));
    const found = this.left(request, isErasable);
    const removed = await this.removable(found);
    // One may have been requeued meanwhile.
    const going = found.filter((entry) => removed.has(entry) && this.tables.entries.get(entry.entryId) === entry);
    for (const entry of going)
      this.tables.change(entry, {
        subject: '',
        ref: null,
        payload: null,
        lastError: null,
        error: null,
        payloadErased: true,
      });
    const next = found.length < limit ? {} : { next: found.at(-1)!.entryId };
    return { effects: going.length, auditEvents: this.eraseAudit(going), ...next };
  }

  async kept(request: EraseEffects): Promise<KeptEffect[]> {
    const open = this.left(request, ({ status }) => status !== 'succeeded');
    const gone = request.discards ? await this.removable(open.filter(isAbandoned)) : new Set();
    return open
      .filter((entry) => !gone.has(entry))
      .map((entry) => ({
        entryId: entry.entryId,
        handler: entry.handler,
        runId: entry.runId ?? null,
        isAbandoned: isAbandoned(entry),
      }));
  }

  /** All but abandoned ones that a run waits for. */
  private async removable(entries: readonly HeldEffect[]): Promise<Set<HeldEffect>> {
    const abandoned = entries.filter(isAbandoned);
    const free = await inMemoryTransaction(undefined, (tx) => removable(abandoned, this.awaited, tx));
    return new Set([...entries.filter((entry) => !isAbandoned(entry)), ...free]);
  }

  private left({ whose, limit }: EraseEffects, which: (entry: HeldEffect) => boolean): HeldEffect[] {
    const isTheirs = ({ runId, operation, subject }: HeldEffect) =>
      'runIds' in whose
        ? runId !== undefined && whose.runIds.includes(runId)
        : whose.groups.some((group) => group.operation === operation && group.subject === subject);
    const found = [...this.tables.entries.values()].filter((entry) => entry.subject !== '' && isTheirs(entry));
    return found
      .filter(which)
      .sort((a, b) => compare(a.entryId, b.entryId))
      .slice(0, limit);
  }

  /** The events of a whole group once all its calls are erased. */
  private eraseAudit(erased: readonly HeldEffect[]): number {
    let changed = 0;
    for (const { entryId, operation, subject } of erased) {
      const isOver = this.tables.groupOf({ operation, subject }).length === 0;
      this.tables.events.forEach((event, at) => {
        const isOurs = event.operation === operation && event.subject === subject;
        if (!isOurs || (event.entryId === null ? !isOver : event.entryId !== entryId)) return;
        this.tables.events[at] = { ...event, subject: '', details: {} };
        changed++;
      });
    }
    return changed;
  }
}

const isAbandoned = ({ status }: HeldEffect): boolean => status === 'abandoned';
