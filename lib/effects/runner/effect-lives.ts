import { EffectAttemptsExhaustedError } from '../../errors/effect-errors.js';
import { Cancellation } from '../../leasing/cancellation.js';
import type { Lease, LeaseKeeper } from '../../leasing/lease-keeper.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { ClaimedEffect, EffectClaim, EffectClaims } from '../effect-claims.js';
import type { EffectHandlers } from '../effect-handlers.js';
import { errorClassOf } from '../effect-outcome.js';
import type { CallEnd, EffectCaller } from './effect-caller.js';
import { effectEventOf, type EffectSettler } from './effect-settler.js';

export interface LivesParts {
  claims: Pick<EffectClaims, 'release'>;
  handlers: EffectHandlers;
  caller: EffectCaller;
  keeper: LeaseKeeper<EffectClaim>;
  settler: EffectSettler;
  telemetry: Telemetry;
}

interface Life {
  claimed: ClaimedEffect;
  lease: Lease<EffectClaim>;
  control: Cancellation;
}

/** Handles each claimed entry until it is settled, released or lost. */
export class EffectLives {
  private readonly lives = new Map<Life, Promise<void>>();
  /** Stops all writes: the connections may be closed. */
  private closed = false;

  constructor(
    private readonly parts: LivesParts,
    /** Called when another call may start. */
    private readonly onFreed: () => void,
  ) {}

  get running(): number {
    return this.lives.size;
  }

  /** Resolves when all of these entries are done. They do not affect each other. */
  async begin(claimed: readonly ClaimedEffect[], claimedAt: number): Promise<void> {
    await Promise.all(claimed.map((each) => this.beginOne(each, claimedAt)));
  }

  async idle(): Promise<void> {
    while (this.lives.size > 0) await Promise.all(this.lives.values());
  }

  /** Resolves when fewer than `most` are running. */
  async below(most: number): Promise<void> {
    while (this.lives.size >= most) await Promise.race(this.lives.values());
  }

  /** Aborts the signals of all calls. Interrupted calls are released; calls that finish anyway are settled. */
  ask(reason: Error): void {
    for (const { control } of this.lives.keys()) control.ask(reason);
  }

  /** Abandons running calls; their leases will expire. */
  close(): void {
    this.closed = true;
    this.parts.settler.stop();
    for (const { control } of this.lives.keys()) control.end(new Error('The process stops'));
  }

  private beginOne(claimed: ClaimedEffect, claimedAt: number): Promise<void> {
    const { keeper, handlers } = this.parts;
    const { leaseMs } = handlers.get(claimed.handler).policy;
    const control = new Cancellation();
    const lost = () => control.end(new Error('The lease was lost: another process may make this call'));
    const life: Life = { claimed, control, lease: keeper.keep(claimed.claim, leaseMs, claimedAt, lost) };
    const ended = this.live(life).finally(() => {
      keeper.drop(life.lease);
      this.lives.delete(life);
      this.onFreed();
    });
    this.lives.set(life, ended);
    return ended;
  }

  private async live(life: Life): Promise<void> {
    const { settler, telemetry } = this.parts;
    const { claimed, lease } = life;
    const end = await this.endOf(life);
    if (this.closed) return;
    if (lease.lost) return telemetry.emit('effects.lease-lost', effectEventOf(claimed));
    // The process interrupted the call, so this is not a failure.
    if (end === 'interrupted') return this.release(life);
    await settler.settle(claimed, end, lease);
  }

  private async endOf({ claimed, control }: Life): Promise<CallEnd> {
    const { handlers, caller } = this.parts;
    const { handler, attempt, exhausted } = claimed;
    if (!exhausted) return caller.call(claimed, handlers.get(handler), control);
    const error = new EffectAttemptsExhaustedError(handler, attempt);
    return { status: 'abandoned', error: errorClassOf(error), recorded: caller.recorded(claimed, error) };
  }

  private async release({ claimed }: Life): Promise<void> {
    try {
      await this.parts.claims.release([claimed.claim]);
    } catch (error) {
      // Its lease will expire.
      this.parts.telemetry.emit('loop.error', { loop: 'effects', error });
    }
  }
}
