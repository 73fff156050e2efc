import type { Clock } from '../../time/clock.js';
import type { RecordedAuditEvent } from '../audit-log.js';
import type { EffectGroup, EffectStatus, NewEffect } from '../effect-entry.js';
import type { EffectClaim } from '../effect-claims.js';

/** One row. */
export interface HeldEffect extends Omit<NewEffect, 'ref'> {
  /** Null once it was erased, which only ended calls are. */
  ref: string | null;
  enqueuedAt: number;
  status: EffectStatus;
  attempts: number;
  /** The earliest time of the next try; for an entry in flight, the end of its lease. */
  dueAt: number | null;
  token: string | null;
  lastAttemptAt: number | null;
  lastError: string | null;
  /** The recorded error, as it is stored. */
  error: string | null;
  finishedAt: number | null;
  payloadErased: boolean;
}

/** The in-memory counterpart of the effects tables. */
export class MemoryEffects {
  readonly entries = new Map<string, HeldEffect>();
  readonly events: RecordedAuditEvent[] = [];
  /** Entries that are being settled: they cannot be claimed meanwhile. */
  readonly settling = new Set<string>();
  /** Last entries of their groups that are about to succeed: completion listeners already see them as succeeded. */
  readonly completing = new Set<string>();
  private readonly turns = new Map<string, Promise<unknown>>();
  private readonly listeners = new Set<(handlers?: readonly string[]) => void>();

  constructor(readonly clock: Clock) {}

  add(effect: NewEffect, enqueuedAt: number): void {
    this.entries.set(effect.entryId, {
      ...effect,
      enqueuedAt,
      status: 'pending',
      attempts: 0,
      dueAt: null,
      token: null,
      lastAttemptAt: null,
      lastError: null,
      error: null,
      finishedAt: null,
      payloadErased: false,
    });
  }

  /** The entry, if this claim of it still holds. */
  held({ entryId, token }: EffectClaim): HeldEffect | undefined {
    const entry = this.entries.get(entryId);
    return entry?.status === 'in_flight' && entry.token === token ? entry : undefined;
  }

  change(entry: HeldEffect, changed: Partial<HeldEffect>): void {
    this.entries.set(entry.entryId, { ...entry, ...changed });
  }

  /** Oldest first. */
  sorted(which: (entry: HeldEffect) => boolean): HeldEffect[] {
    return [...this.entries.values()].filter(which).sort(byAge);
  }

  groupOf({ operation, subject }: EffectGroup): HeldEffect[] {
    return this.sorted((entry) => entry.operation === operation && entry.subject === subject);
  }

  /** Runs calls for the same group one after the other. */
  inTurn<T>({ operation, subject }: EffectGroup, work: () => Promise<T>): Promise<T> {
    const key = JSON.stringify([operation, subject]);
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(work, work);
    this.turns.set(key, turn);
    const forget = () => void (this.turns.get(key) === turn && this.turns.delete(key));
    turn.then(forget, forget);
    return turn;
  }

  /** Notifies runners that these calls are due. */
  tellDue(calls: readonly { handler: string }[]): void {
    if (calls.length === 0) return;
    const handlers = [...new Set(calls.map(({ handler }) => handler))];
    for (const listener of this.listeners) listener(handlers);
  }

  onDue(listener: (handlers?: readonly string[]) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byAge = (a: HeldEffect, b: HeldEffect): number => a.enqueuedAt - b.enqueuedAt || compare(a.entryId, b.entryId);
