import { stopwatch } from './clock.js';
import { macrotask, sleep } from './sleep.js';

/**
 * Does one unit of work. `busy`: there may be more now. `active`: all work is done, and more may come soon.
 * `idle`: there was no work.
 */
export type Tick = () => Promise<'busy' | 'active' | 'idle'>;

export interface PollLoopOptions {
  /** The longest nap, in ms. A function is called before each nap. */
  maxMs: number | (() => number);
  /**
   * The nap, in ms, for a second after there was work; then it doubles up to `maxMs` while there is none. A function is
   * called each time. Default: `maxMs`. While `live` returns false it is 20 ms, or `maxMs` if that is less.
   */
  minMs?: number | (() => number);
  /** Whether notifications of work currently arrive, so that short naps are not needed. Default: always true. */
  live?: () => boolean;
  /** Called with the error of every tick that threw. */
  onError: (error: unknown) => void;
}

/** What a loop is doing. Times are ms of this process's monotonic clock, until now. */
export interface LoopPulse {
  /** False: it was not started, or was stopped. */
  running: boolean;
  /** How long ago its last tick ended; or, before the first end, how long ago it was started. */
  agoMs: number;
  /** How long the tick in progress has taken; undefined while it naps. */
  tickingMs: number | undefined;
  /** The length of its last nap. */
  napMs: number;
  /** Whether its last tick threw. */
  failed: boolean;
}

/** The loops of a part, by their names: to look at, not to control. */
export type Loops = Readonly<Record<string, { readonly pulse: LoopPulse }>>;

/** Naps stay short for this long after work, because more work often follows. */
const LINGER_MS = 1_000;
/** The shortest nap while no notifications of work arrive. */
const SHORTEST_NAP_MS = 20;

/**
 * Runs `tick` until stopped: again at once while busy, after a nap or a `wake()` otherwise. Naps grow from
 * `minMs` to `maxMs`, so a busy system responds fast and an idle one causes little load. After a tick that
 * throws, the nap is 50 to 100 % of `maxMs`, at random, so a broken database gets few requests.
 */
export class PollLoop {
  private stopped = new AbortController();
  private nap = new AbortController();
  private running: Promise<void> | undefined;
  private napMs = 0;
  /** The total of the naps since the last work. */
  private quietMs = 0;
  private tickedAt = 0;
  private tickingSince: number | undefined;
  private pauseMs = 0;
  private hasFailed = false;

  constructor(
    private readonly tick: Tick,
    private readonly options: PollLoopOptions,
  ) {}

  start(): void {
    if (this.running) return;
    this.stopped = new AbortController();
    this.tickedAt = stopwatch.now();
    this.running = this.run(this.stopped.signal);
  }

  /** Ends the nap; during a tick, starts the next tick without a nap. */
  wake(): void {
    this.quietMs = 0;
    // With a reason, because creating the default one is expensive.
    if (!this.nap.signal.aborted) this.nap.abort('woken');
  }

  /** Makes naps short again. Ends the current nap only if it is longer, so that many calls do not add ticks. */
  hurry(): void {
    if (this.napMs > this.minMs) return this.wake();
    this.quietMs = 0;
  }

  /** Resolves when the tick in progress has finished. */
  async stop(): Promise<void> {
    const { running } = this;
    this.stopped.abort();
    this.wake();
    await running;
    if (this.running === running) this.running = undefined;
  }

  get pulse(): LoopPulse {
    const { tickedAt, tickingSince, pauseMs: napMs, hasFailed: failed } = this;
    const now = stopwatch.now();
    return {
      running: this.running !== undefined && !this.stopped.signal.aborted,
      agoMs: now - tickedAt,
      tickingMs: tickingSince === undefined ? undefined : now - tickingSince,
      napMs,
      failed,
    };
  }

  private async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      // Created before the tick: a wake() during the tick must not be lost.
      this.nap = new AbortController();
      const napMs = await this.timedTick();
      // A tick that is always busy must not block the event loop.
      if (napMs === 0) await macrotask();
      else if (!stopped.aborted) await sleep(napMs, this.nap.signal);
    }
  }

  private async timedTick(): Promise<number> {
    this.tickingSince = stopwatch.now();
    this.pauseMs = await this.tickOnce();
    this.tickingSince = undefined;
    this.tickedAt = stopwatch.now();
    return this.pauseMs;
  }

  private async tickOnce(): Promise<number> {
    try {
      const state = await this.tick();
      this.hasFailed = false;
      return this.napAfter(state);
    } catch (error) {
      this.hasFailed = true;
      return this.napAfterError(error);
    }
  }

  private napAfter(state: 'busy' | 'active' | 'idle'): number {
    if (state !== 'idle') this.quietMs = 0;
    if (state === 'busy') return 0;
    const shortest = this.minMs;
    this.napMs = Math.min(this.maxMs, this.quietMs < LINGER_MS ? shortest : Math.max(shortest, this.napMs * 2));
    this.quietMs += this.napMs;
    return this.napMs;
  }

  private napAfterError(error: unknown): number {
    try {
      this.options.onError(error);
    } catch {
      // An error of the error handler must not end the loop.
    }
    return this.maxMs * (0.5 + Math.random() / 2);
  }

  private get minMs(): number {
    const { minMs = this.maxMs, live } = this.options;
    return live && !live() ? Math.min(SHORTEST_NAP_MS, this.maxMs) : ask(minMs);
  }

  private get maxMs(): number {
    return ask(this.options.maxMs);
  }
}

const ask = (ms: number | (() => number)): number => (typeof ms === 'function' ? ms() : ms);
