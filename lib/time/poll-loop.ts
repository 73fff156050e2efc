import { macrotask } from './within.js';
import { sleep } from './sleep.js';

/**
 * Does one unit of work. `busy`: there may be more right away. `active`: that was all, and more may come soon.
 * `idle`: there was nothing.
 */
export type Tick = () => Promise<'busy' | 'active' | 'idle'>;

export interface PollLoopOptions {
  /** The longest nap. A function is asked before each nap. */
  maxMs: number | (() => number);
  /**
   * The nap for a second after there was work; then it doubles up to `maxMs` while there is none. A function is asked each
   * time. Default: `maxMs`, and 20 ms while `live` says no.
   */
  minMs?: number | (() => number);
  /** Whether somebody says when there is work, so that naps may all be the longest. Default: nobody need. */
  live?: () => boolean;
  /** Told of every tick that threw. */
  onError: (error: unknown) => void;
}

/** Where work was, more tends to follow: for so long naps stay short. */
const LINGER_MS = 1_000;
/** The shortest nap where nobody says when there is work. */
const SHORTEST_NAP_MS = 20;

/**
 * Runs `tick` until stopped: again at once while busy, after a nap or a `wake()` when idle. Naps grow from
 * `minMs` to `maxMs`, so a busy system answers fast and an idle one is quiet. A tick that throws counts as
 * idle and naps the longest, jittered, so a broken database is polled, not hammered.
 */
export class PollLoop {
  private stopped = new AbortController();
  private nap = new AbortController();
  private running: Promise<void> | undefined;
  private napMs = 0;
  /** Napped since there was work. */
  private quietMs = 0;

  constructor(
    private readonly tick: Tick,
    private readonly options: PollLoopOptions,
  ) {}

  start(): void {
    if (this.running) return;
    this.stopped = new AbortController();
    this.running = this.run(this.stopped.signal);
  }

  /** Ends the nap, or makes the tick in progress be followed by another at once. */
  wake(): void {
    this.quietMs = 0;
    // With a reason, because making up the usual one costs more than all the rest.
    if (!this.nap.signal.aborted) this.nap.abort('woken');
  }

  /** Naps are the shortest again. Ends the present one only when it is longer, so that any number of calls adds no ticks. */
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

  private async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      // Armed before the tick: a wake() that comes while it works must not be lost.
      this.nap = new AbortController();
      const napMs = await this.tickOnce();
      // A tick that is always busy must not keep everything else of the process from running.
      if (napMs === 0) await macrotask();
      else if (!stopped.aborted) await sleep(napMs, this.nap.signal);
    }
  }

  private async tickOnce(): Promise<number> {
    try {
      return this.napAfter(await this.tick());
    } catch (error) {
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
      // Whoever is told of errors must not end the loop by one of its own.
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
