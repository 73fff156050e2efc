import { type Held, NOTHING_HELD } from '../../holds/held-names.js';
import { LeaseKeeper } from '../../leasing/lease-keeper.js';
import type { Codec } from '../../protocol/codec.js';
import type { ErrorRules } from '../../protocol/error-rules.js';
import { StoredTexts } from '../../protocol/stored-texts.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import { type Loops, PollLoop } from '../../time/poll-loop.js';
import { atMost, sleep } from '../../time/sleep.js';
import type { ClaimedEffect, ClaimedHandler, EffectClaim } from '../effect-claims.js';
import type { EffectStorage } from '../effect-storage.js';
import type { EffectHandlers } from '../effect-handlers.js';
import type { EffectListeners } from '../effect-listeners.js';
import { type CarriedBy, EffectCaller } from './effect-caller.js';
import { EffectLives } from './effect-lives.js';
import { EffectSettler } from './effect-settler.js';

export interface EffectRunnerOptions {
  /** The claiming node; informational only. */
  nodeId: string;
  /** The maximum number of concurrent calls. */
  concurrency: number;
  /** The maximum number of entries per claim. */
  batchSize: number;
  /** The maximum time between two polls. */
  pollMs: number;
  /** How long `stop` waits for running calls. */
  shutdownTimeoutMs: number;
  codec: Codec;
  /** What of errors is recorded. Default: everything but stacks. */
  errors?: ErrorRules;
  clock: Clock;
  telemetry: Telemetry;
  /** The handlers that must not be called now. Default: none. */
  held?: Held | undefined;
  /** Reads what a run carries. Default: nothing. */
  carriedBy?: CarriedBy;
}

type Ports = Pick<EffectStorage, 'claims' | 'settlements'>;

/** Free slots are collected for this time, to avoid one claim per slot. */
const COLLECT_MS = 20;
/** How long interrupted calls may take to stop. */
const GRACE_MS = 500;

/**
 * Makes enqueued calls, together with the runners of all other processes; each process has one. It claims only calls
 * that this process has handlers for.
 */
export class EffectRunner {
  private readonly keeper: LeaseKeeper<EffectClaim>;
  private readonly lives: EffectLives;
  private readonly loop: PollLoop;
  private unsubscribe: (() => void) | undefined;
  private readonly held: Held;
  private turn: Promise<unknown> = Promise.resolve();
  /** Slots reserved for claims in progress. */
  private reserved = 0;
  /** Whether the last claim returned as many entries as it asked for. */
  private expectsMore = false;
  private collecting = false;
  private readonly stopped = new AbortController();

  constructor(
    private readonly ports: Ports,
    private readonly handlers: EffectHandlers,
    listeners: EffectListeners,
    private readonly options: EffectRunnerOptions,
  ) {
    const { telemetry, codec, pollMs } = options;
    const { claims, settlements } = ports;
    this.held = options.held ?? NOTHING_HELD;
    const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'effects', error });
    this.keeper = new LeaseKeeper({
      keyOf: ({ entryId }) => entryId,
      extend: async (leases) => {
        const held = await claims.extend(leases.map(({ claim, leaseMs }) => ({ ...claim, leaseMs })));
        return held.map(({ renewed, ...claim }) => ({ claim, renewed }));
      },
      onError,
      longestBeatMs: Number.POSITIVE_INFINITY,
    });
    const settler = new EffectSettler({ settlements, listeners, keeper: this.keeper, telemetry });
    const caller = new EffectCaller(codec, new StoredTexts(codec, options.errors), options.carriedBy, telemetry);
    const parts = { claims, handlers, caller, keeper: this.keeper, settler, telemetry };
    this.lives = new EffectLives(parts, () => this.freed());
    this.loop = new PollLoop(() => this.tick(), {
      maxMs: pollMs,
      live: () => claims.live,
      onError,
    });
  }

  /** Starts to make calls as they become due. */
  start(): void {
    if (this.unsubscribe || this.stopping) return;
    const stops = [
      this.held.onChanged(() => this.loop.wake()),
      this.ports.claims.onDue((handlers) => {
        if (!handlers || handlers.some((name) => this.handlers.has(name))) this.loop.wake();
      }),
    ];
    this.unsubscribe = () => stops.forEach((stop) => stop());
    this.loop.start();
  }

  /**
   * Stops claiming and waits up to `shutdownTimeout` for running calls; then aborts their signals. A call that stops on
   * its signal is released for other processes; the leases of the others expire. The runner cannot be started again.
   */
  async stop(): Promise<void> {
    this.stopped.abort('stopped');
    this.unsubscribe?.();
    await this.loop.stop();
    await atMost(this.options.shutdownTimeoutMs, this.lives.idle());
    this.lives.ask(new Error('The process stops'));
    await atMost(GRACE_MS, this.lives.idle());
    this.lives.close();
    await this.keeper.stop();
  }

  /**
   * Claims calls that are due now, up to `batchSize` and the free concurrency, makes them, and resolves to their number
   * once all are settled; 0 when none was due. For schedulers and tests; works whether or not the runner was started.
   *
   * @throws DatabaseError when the claim fails. Entries that cannot be settled stay in flight until their lease ends.
   * @example while ((await runner.runOnce()) > 0);
   */
  runOnce(): Promise<number> {
    const run = this.turn.then(() => this.once());
    this.turn = run.catch(() => undefined);
    return run;
  }

  private async once(): Promise<number> {
    await this.lives.below(this.options.concurrency);
    await this.held.look();
    const { count, ended } = await this.claim();
    await ended;
    return count;
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    const { free } = this;
    const { count } = await this.claim();
    if (count === 0) return 'idle';
    // Otherwise waits, to collect slots that have become free meanwhile.
    return this.expectsMore && free > count ? 'busy' : 'active';
  }

  /** None unless it was started. */
  get loops(): Loops {
    return this.unsubscribe && !this.stopping ? { effects: this.loop } : {};
  }

  private get stopping(): boolean {
    return this.stopped.signal.aborted;
  }

  private freed(): void {
    if (!this.expectsMore || this.collecting || this.stopping) return;
    if (this.lives.running === 0) return this.loop.wake();
    this.collecting = true;
    void sleep(COLLECT_MS, this.stopped.signal).then(() => {
      this.collecting = false;
      this.loop.wake();
    });
  }

  private get free(): number {
    return this.options.concurrency - this.lives.running - this.reserved;
  }

  private async claim(): Promise<{ count: number; ended: Promise<void> }> {
    const { claims } = this.ports;
    const limit = Math.min(this.free, this.options.batchSize);
    const free = this.handlers.all().filter(({ name }) => !this.held.isHeld('effect', name));
    const handlers = free.map(claimedHandler);
    if (limit <= 0 || handlers.length === 0 || this.stopping) return { count: 0, ended: Promise.resolve() };
    const askedAt = this.keeper.now();
    let claimed: ClaimedEffect[];
    this.reserved += limit;
    try {
      claimed = await claims.claim({ nodeId: this.options.nodeId, handlers, limit });
    } finally {
      this.reserved -= limit;
    }
    const durationMs = this.keeper.now() - askedAt;
    const { telemetry } = this.options;
    if (telemetry.hears('claim.made'))
      telemetry.emit('claim.made', { what: 'effects', count: claimed.length, durationMs });
    this.expectsMore = claimed.length >= limit;
    const inTime = this.stopping ? [] : claimed.filter((each) => !this.isLate(each, askedAt));
    const ended = this.lives.begin(inTime, askedAt);
    const begun = new Set(inTime);
    // Releasing exhausted entries would give them another attempt.
    const uncalled = claimed.filter((each) => !begun.has(each) && !each.exhausted).map(({ claim }) => claim);
    if (uncalled.length > 0) await claims.release(uncalled);
    return { count: inTime.length, ended };
  }

  /** The claim returned after its lease: another process may make this call now. */
  private isLate({ handler }: ClaimedEffect, askedAt: number): boolean {
    return this.keeper.isOver(askedAt, this.handlers.get(handler).policy.leaseMs);
  }
}

const claimedHandler = ({ name, policy }: { name: string; policy: { leaseMs: number; attempts: number } }) =>
  ({ name, leaseMs: policy.leaseMs, attempts: policy.attempts }) satisfies ClaimedHandler;
