import { DatabaseError } from '../../errors/database-errors.js';
import { DurableError } from '../../errors/durable-error.js';
import type { Lease, LeaseKeeper } from '../../leasing/lease-keeper.js';
import { untilBack } from '../../leasing/until-back.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { EffectEvent } from '../../telemetry/telemetry-events.js';
import type { ClaimedEffect, EffectClaim } from '../effect-claims.js';
import type { EffectListeners } from '../effect-listeners.js';
import type { EffectSettlements, OnCompletion, Settled, Settlement } from '../effect-storage.js';
import { errorClassOf } from '../effect-outcome.js';
import { Semaphore } from '../../time/semaphore.js';

export const effectEventOf = ({ claim, handler, operation, attempt }: ClaimedEffect): EffectEvent => ({
  entryId: claim.entryId,
  handler,
  operation,
  attempt,
});

/** The class of an error, and its code if it is ours. Never the message, which may contain the app's data. */
function errorNote(error: unknown): string {
  const name = errorClassOf(error);
  return error instanceof DurableError ? `${name} (${error.code})` : name;
}

/** The maximum number of pool connections in use. */
const AT_ONCE = 5;
const RETRY = { delay: 100, factor: 2, maxDelay: '5s' } as const;

export interface SettlerParts {
  settlements: EffectSettlements;
  listeners: EffectListeners;
  keeper: Pick<LeaseKeeper<EffectClaim>, 'now'>;
  telemetry: Telemetry;
}

/** Writes the results of calls one by one and calls listeners. */
export class EffectSettler {
  private readonly semaphore = new Semaphore(AT_ONCE);
  private readonly stopped = new AbortController();

  constructor(private readonly parts: SettlerParts) {}

  /**
   * Never throws: an entry that cannot be settled stays in flight until its lease expires. Retries while the database
   * is unavailable and the claim holds, to avoid another call; at most one lease if a retry may not help.
   */
  async settle(claimed: ClaimedEffect, settlement: Settlement, lease: Lease<EffectClaim>): Promise<void> {
    let settled: Settled;
    try {
      settled = await this.write(claimed, settlement, lease);
    } catch (error) {
      const { telemetry } = this.parts;
      return telemetry.emit('effects.settle-failed', { ...effectEventOf(claimed), error: errorNote(error) });
    }
    this.tell(claimed, settlement, settled);
    if (settlement.status === 'abandoned' && settled !== 'lost') await this.tellAbandoned(claimed, settlement.error);
  }

  /** Ends all retries. */
  stop(): void {
    this.stopped.abort('stopped');
  }

  private async write(claimed: ClaimedEffect, settlement: Settlement, lease: Lease<EffectClaim>): Promise<Settled> {
    const { settlements, keeper } = this.parts;
    const onCompletion = this.onCompletionOf(claimed);
    const hopesUntil = keeper.now() + lease.leaseMs;
    const write = async (failures: number) => {
      const settled = await this.semaphore.run(() => settlements.settle(claimed, settlement, onCompletion));
      // While the lease holds, an earlier try must have been written and its response lost.
      return settled === 'lost' && failures > 0 && keeper.now() < lease.heldUntil ? 'settled' : settled;
    };
    const passes = (error: unknown) => !lease.lost && isWorthATry(error, keeper.now() < hopesUntil);
    return untilBack(write, { stopped: this.stopped.signal, passes, retry: RETRY });
  }

  private onCompletionOf({ operation }: ClaimedEffect): OnCompletion | undefined {
    const { telemetry } = this.parts;
    const listeners = this.parts.listeners.completionOf(operation);
    // Without listeners, no ORM transaction: it costs more than one of ours.
    if (listeners.length === 0) return undefined;
    return async ({ subject }, handle) => {
      for (const listener of listeners) await telemetry.openly(() => listener.onComplete(subject, handle, operation));
    };
  }

  private tell(claimed: ClaimedEffect, settlement: Settlement, settled: Settled): void {
    const { telemetry } = this.parts;
    const event = effectEventOf(claimed);
    if (settled === 'lost') return telemetry.emit('effects.lease-lost', event);
    if (settlement.status === 'failed') {
      const { error, delayMs: retryInMs } = settlement;
      return telemetry.emit('effects.failed', { ...event, error, retryInMs });
    }
    if (settlement.status === 'abandoned')
      return telemetry.emit('effects.abandoned', { ...event, error: settlement.error });
    if (settlement.status === 'scheduled')
      return telemetry.emit('effects.scheduled', { ...event, until: settlement.until });
    telemetry.emit('effects.succeeded', { ...event, alreadyAbsent: settlement.alreadyAbsent });
    if (settled === 'completed') telemetry.emit('effects.completed', { operation: claimed.operation });
  }

  /** Errors of listeners are only logged. */
  private async tellAbandoned(claimed: ClaimedEffect, error: string): Promise<void> {
    const { claim, subject, handler, operation, attempt: attempts } = claimed;
    const entry = { entryId: claim.entryId, subject, handler, operation, attempts, error };
    for (const listener of this.parts.listeners.abandonmentOf(operation)) {
      try {
        await this.parts.telemetry.openly(() => listener.onAbandoned(entry));
      } catch (thrown) {
        const failure = { ...effectEventOf(claimed), error: errorClassOf(thrown) };
        this.parts.telemetry.emit('effects.listener-failed', failure);
      }
    }
  }
}

/** @param hopes - whether to retry unknown errors */
const isWorthATry = (error: unknown, hopes: boolean): boolean =>
  error instanceof DatabaseError && (error.transient || (hopes && !error.aboutData));
