import { randomUUID } from 'node:crypto';
import type {
  ClaimedEffect,
  ClaimedHandler,
  ClaimEffects,
  EffectClaim,
  EffectClaims,
  HeldClaim,
} from '../effect-claims.js';
import type { HeldEffect, MemoryEffects } from './memory-effects.js';

/** The twin of `SqlEffectClaims`. */
export class InMemoryEffectClaims implements EffectClaims {
  readonly live = true;

  constructor(private readonly tables: MemoryEffects) {}

  async claim({ handlers, limit }: ClaimEffects): Promise<ClaimedEffect[]> {
    const now = this.tables.clock.now();
    const served = new Map(handlers.map((handler) => [handler.name, handler]));
    const due = this.tables.sorted((entry) => served.has(entry.handler) && this.isDue(entry, now));
    const token = randomUUID();
    return due.slice(0, limit).map((entry) => this.take(entry, served.get(entry.handler) as ClaimedHandler, token));
  }

  async extend(claims: readonly (EffectClaim & { readonly leaseMs: number })[]): Promise<HeldClaim[]> {
    const now = this.tables.clock.now();
    return claims.flatMap(({ leaseMs, entryId, token }) => {
      const entry = this.tables.held({ entryId, token });
      if (!entry) return [];
      this.tables.change(entry, { dueAt: now + leaseMs });
      return [{ entryId, token, renewed: true }];
    });
  }

  async release(claims: readonly EffectClaim[]): Promise<void> {
    const held = claims.flatMap((claim) => this.tables.held(claim) ?? []);
    for (const entry of held)
      this.tables.change(entry, {
        ...{ status: entry.attempts > 1 ? 'failed' : 'pending', token: null, dueAt: null },
        attempts: Math.max(0, entry.attempts - 1),
      });
    if (held.length > 0) this.tables.announce([...new Set(held.map(({ handler }) => handler))]);
  }

  onDue(listener: (handlers?: readonly string[]) => void): () => void {
    return this.tables.onDue(listener);
  }

  private isDue({ entryId, finishedAt, dueAt }: HeldEffect, now: number): boolean {
    return finishedAt === null && (dueAt === null || dueAt <= now) && !this.tables.settling.has(entryId);
  }

  private take(entry: HeldEffect, { leaseMs, attempts: most }: ClaimedHandler, token: string): ClaimedEffect {
    const now = this.tables.clock.now();
    const exhausted = entry.attempts >= most;
    const attempts = entry.attempts + (exhausted ? 0 : 1);
    this.tables.change(entry, { status: 'in_flight', token, attempts, dueAt: now + leaseMs, lastAttemptAt: now });
    const { entryId, operation, subject, handler, ref, payload, lastError } = entry;
    const claim = { entryId, token };
    return { claim, operation, subject, handler, ref, payload, attempt: attempts, exhausted, lastError };
  }
}
