import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../audit-log.js';
import type {
  ClaimEffects,
  ClaimedEffect,
  ClaimedHandler,
  EffectClaim,
  EffectClaims,
  HeldClaim,
} from '../effect-claims.js';
import type { EffectSettlements, OnCompletion, Settled, Settlement } from '../effect-storage.js';
import { completedEvent, settledEvents } from './audit-events.js';
import type { HeldEffect, MemoryEffects } from './memory-effects.js';
import { type Transaction, inMemoryTransaction } from '../../protocol/transaction.js';

/** The counterpart of `SqlEffectSettlements`. Side effects of a completion listener are not undone when it throws. */
export class InMemoryEffectSettlements implements EffectSettlements {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly audit: AuditLog,
  ) {}

  settle(claimed: ClaimedEffect, settlement: Settlement, onCompletion?: OnCompletion): Promise<Settled> {
    return this.tables.inTurn(claimed, async () => {
      const entry = this.tables.held(claimed.claim);
      if (!entry) return 'lost';
      this.tables.settling.add(entry.entryId);
      try {
        return await inMemoryTransaction(undefined, (tx) => this.write(tx, entry, claimed, settlement, onCompletion));
      } finally {
        this.tables.settling.delete(entry.entryId);
      }
    });
  }

  private async write(
    tx: Transaction,
    entry: HeldEffect,
    claimed: ClaimedEffect,
    settlement: Settlement,
    onCompletion: OnCompletion | undefined,
  ): Promise<Settled> {
    const events = settledEvents(claimed, settlement);
    const siblings = this.tables.groupOf(entry).filter(({ entryId }) => entryId !== entry.entryId);
    const completes = settlement.status === 'succeeded' && siblings.every(({ status }) => status === 'succeeded');
    if (completes) {
      await this.tell(entry, tx, onCompletion);
      events.push(completedEvent(entry, siblings.length + 1, entry.entryId));
    }
    if (events.length > 0) await this.audit.append(events, tx);
    this.tables.change(entry, changedBy(settlement, entry, this.tables.clock.now()));
    return completes ? 'completed' : 'settled';
  }

  private async tell(
    { entryId, operation, subject }: HeldEffect,
    tx: Transaction,
    onCompletion?: OnCompletion,
  ): Promise<void> {
    this.tables.completing.add(entryId);
    try {
      await onCompletion?.({ operation, subject }, tx, tx);
    } finally {
      this.tables.completing.delete(entryId);
    }
  }
}

function changedBy(settlement: Settlement, entry: HeldEffect, now: number): Partial<HeldEffect> {
  const { status } = settlement;
  const unclaimed = { status, token: null };
  const ended = { dueAt: null, payload: null, finishedAt: now };
  const payloadErased = entry.payloadErased || entry.payload !== null;
  switch (settlement.status) {
    case 'succeeded':
      return { ...unclaimed, ...ended, payloadErased, lastError: null, error: null };
    case 'abandoned':
      return { ...unclaimed, ...ended, payloadErased, ...errorOf(settlement) };
    case 'failed':
      return { ...unclaimed, dueAt: now + settlement.delayMs, ...errorOf(settlement) };
    case 'scheduled': {
      const dueAt = Math.max(settlement.until, now + settlement.delayMs);
      return { ...unclaimed, dueAt, attempts: 0, lastError: null, error: null };
    }
  }
}

const errorOf = ({ error: lastError, recorded: error = null }: { error: string; recorded?: string | null }) => ({
  lastError,
  error,
});

/** The counterpart of `SqlEffectClaims`. */
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
        status: entry.attempts > 1 ? 'failed' : 'pending',
        token: null,
        dueAt: null,
        attempts: Math.max(0, entry.attempts - 1),
      });
    this.tables.tellDue(held);
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
    const { entryId, operation, subject, handler, ref, payload, runId = null, trace, lastError } = entry;
    const claim = { entryId, token };
    const origin = { runId, ...(trace !== undefined && { trace }) };
    return {
      claim,
      operation,
      subject,
      handler,
      ref: ref!,
      payload,
      ...origin,
      attempt: attempts,
      exhausted,
      lastError,
    };
  }
}
