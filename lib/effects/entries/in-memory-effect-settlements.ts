import type { AuditLog } from '../audit-log.js';
import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectSettlements, OnCompletion, Settled, Settlement } from '../effect-settlements.js';
import { completedEvent, settledEvents } from './audit-events.js';
import type { HeldEffect, MemoryEffects } from './memory-effects.js';

/** The twin of `SqlEffectSettlements`. What a completion listener did elsewhere is not undone when it throws. */
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
        return await this.write(entry, claimed, settlement, onCompletion);
      } finally {
        this.tables.settling.delete(entry.entryId);
      }
    });
  }

  private async write(
    entry: HeldEffect,
    claimed: ClaimedEffect,
    settlement: Settlement,
    onCompletion: OnCompletion | undefined,
  ): Promise<Settled> {
    const events = settledEvents(claimed, settlement);
    const siblings = this.tables.groupOf(entry).filter(({ entryId }) => entryId !== entry.entryId);
    const completes = settlement.status === 'succeeded' && siblings.every(({ status }) => status === 'succeeded');
    const tx = {};
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
    tx: object,
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
      return { ...unclaimed, ...ended, payloadErased, lastError: null };
    case 'abandoned':
      return { ...unclaimed, ...ended, payloadErased, lastError: settlement.error };
    case 'failed':
      return { ...unclaimed, dueAt: now + settlement.delayMs, lastError: settlement.error };
    case 'scheduled': {
      const dueAt = Math.max(settlement.until, now + settlement.delayMs);
      return { ...unclaimed, dueAt, attempts: 0, lastError: null };
    }
  }
}
