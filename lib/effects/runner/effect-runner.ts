import type { Codec } from '../../protocol/codec.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import { PollLoop } from '../../time/poll-loop.js';
import { sleep } from '../../time/sleep.js';
import type { ClaimedEffect, ClaimedHandler } from '../effect-claims.js';
import type { EffectHandlers } from '../effect-handlers.js';
import type { EffectListeners } from '../effect-listeners.js';
import type { EffectStorage } from '../effect-storage.js';
import { ClaimKeeper } from './claim-keeper.js';
import { EffectCaller } from './effect-caller.js';
import { EffectLives } from './effect-lives.js';
import { EffectSettler } from './effect-settler.js';
import { UnclaimedWatch } from './unclaimed-watch.js';

export interface EffectRunnerOptions {
  /** Who claims; for people. */
  nodeId: string;
  /** The most calls at once. */
  concurrency: number;
  /** The most entries of one claim. */
  batchSize: number;
  /** The longest nap between two looks. */
  pollMs: number;
  /** How long `stop` waits for calls that run. */
  shutdownTimeoutMs: number;
  codec: Codec;
  clock: Clock;
  telemetry: Telemetry;
}

type Ports = Pick<EffectStorage, 'claims' | 'settlements' | 'insight'>;

/** The shortest nap where nobody tells of what is enqueued. */
const SHORTEST_NAP_MS = 20;
/** Slots that become free are collected for so long, so that there is not a claim for each of them. */
const COLLECT_MS = 20;
/** How long calls that were asked to end may take to do so. */
const GRACE_MS = 500;

/**
 * Makes the calls that were enqueued, together with all other processes that do: one for each process. It claims what it
 * has handlers for, and nothing else.
 */
export class EffectRunner {
  private readonly keeper: ClaimKeeper;
  private readonly lives: EffectLives;
  private readonly unclaimed: UnclaimedWatch;
  private readonly loop: PollLoop;
  private unsubscribe: (() => void) | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  /** Slots for claims that are under way. */
  private reserved = 0;
  /** The last claim took all that it could. */
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
    const { claims, settlements, insight } = ports;
    const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'effects', error });
    this.keeper = new ClaimKeeper((held) => claims.extend(held), onError);
    const settler = new EffectSettler({ settlements, listeners, keeper: this.keeper, telemetry });
    const caller = new EffectCaller(codec);
    const parts = { claims, handlers, caller, keeper: this.keeper, settler, telemetry };
    this.lives = new EffectLives(parts, () => this.freed());
    this.unclaimed = new UnclaimedWatch(insight, options);
    this.loop = new PollLoop(() => this.tick(), {
      minMs: () => (claims.live ? pollMs : Math.min(SHORTEST_NAP_MS, pollMs)),
      maxMs: pollMs,
      onError,
    });
  }

  /** Begins to make calls as they become due. */
  start(): void {
    if (this.unsubscribe || this.stopping) return;
    this.unsubscribe = this.ports.claims.onDue((handlers) => {
      if (!handlers || handlers.some((name) => this.handlers.has(name))) this.loop.wake();
    });
    this.loop.start();
  }

  /**
   * Claims nothing more and waits up to `shutdownTimeout` for calls that run; then their signals abort. A call that
   * heeds its signal is given back, to be made by another process at once; the others are left to their leases. For good.
   */
  async stop(): Promise<void> {
    this.stopped.abort('stopped');
    this.unsubscribe?.();
    const over = new AbortController();
    await this.loop.stop();
    await Promise.race([this.lives.idle(), sleep(this.options.shutdownTimeoutMs, over.signal)]);
    this.lives.ask(new Error('The process stops'));
    await Promise.race([this.lives.idle(), sleep(GRACE_MS, over.signal)]);
    over.abort('over');
    this.lives.close();
    await this.keeper.stop();
  }

  /**
   * Claims what is due now, up to `batchSize` entries and as many as may run at once, makes these calls and resolves once
   * all are settled, to how many there were; 0 when nothing was due. For schedulers and tests, whether the runner was
   * started or not.
   *
   * @throws DatabaseError when nothing could be claimed. What cannot be settled is left to its lease.
   * @example while ((await runner.runOnce()) > 0);
   */
  runOnce(): Promise<number> {
    const run = this.turn.then(() => this.once());
    this.turn = run.catch(() => undefined);
    return run;
  }

  private async once(): Promise<number> {
    await this.lives.below(this.options.concurrency);
    const { count, ended } = await this.claim();
    await ended;
    return count;
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    await this.unclaimed.look();
    const { free } = this;
    const { count } = await this.claim();
    if (count === 0) return 'idle';
    // Slots that have become free meanwhile are collected.
    return this.expectsMore && free > count ? 'busy' : 'active';
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
    const handlers = this.handlers.all().map(claimedHandler);
    if (limit <= 0 || handlers.length === 0 || this.stopping) return { count: 0, ended: Promise.resolve() };
    const askedAt = this.keeper.now();
    let claimed: ClaimedEffect[];
    this.reserved += limit;
    try {
      claimed = await claims.claim({ nodeId: this.options.nodeId, handlers, limit });
    } finally {
      this.reserved -= limit;
    }
    this.expectsMore = claimed.length >= limit;
    const inTime = this.stopping ? [] : claimed.filter((each) => !this.isLate(each, askedAt));
    const ended = this.lives.begin(inTime, askedAt);
    const begun = new Set(inTime);
    // Those that have had all their attempts must not get another one by that.
    const uncalled = claimed.filter((each) => !begun.has(each) && !each.exhausted).map(({ claim }) => claim);
    if (uncalled.length > 0) await claims.release(uncalled);
    return { count: inTime.length, ended };
  }

  /** The answer came after the lease: somebody else may make this call by now. */
  private isLate({ handler }: ClaimedEffect, askedAt: number): boolean {
    return this.keeper.now() - askedAt >= this.handlers.get(handler).policy.leaseMs;
  }
}

const claimedHandler = ({ name, policy }: { name: string; policy: { leaseMs: number; attempts: number } }) =>
  ({ name, leaseMs: policy.leaseMs, attempts: policy.attempts }) satisfies ClaimedHandler;
