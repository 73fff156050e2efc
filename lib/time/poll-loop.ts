import { sleep } from './sleep.js';

/** Does one unit of work and says whether there may be more right away. */
export type Tick = () => Promise<'busy' | 'idle'>;

export interface PollLoopOptions {
  /** The shortest nap, right after work was found; it doubles up to `maxMs` while nothing is. A function is asked each time. */
  minMs: number | (() => number);
  /** The longest nap. A function is asked before each nap. */
  maxMs: number | (() => number);
  /** Told of every tick that threw. */
  onError: (error: unknown) => void;
}

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
    this.napMs = 0;
    this.nap.abort();
  }

  /** Resolves when the tick in progress has finished. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.wake();
    await this.running;
    this.running = undefined;
  }

  private async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      // Armed before the tick: a wake() that comes while it works must not be lost.
      this.nap = new AbortController();
      const napMs = await this.tick().then(
        (state) => this.napAfter(state),
        (error: unknown) => this.napAfterError(error),
      );
      if (napMs > 0 && !stopped.aborted) await sleep(napMs, this.nap.signal);
    }
  }

  private napAfter(state: 'busy' | 'idle'): number {
    if (state === 'busy') return (this.napMs = 0);
    this.napMs = Math.min(this.maxMs, Math.max(ask(this.options.minMs), this.napMs * 2));
    return this.napMs;
  }

  private napAfterError(error: unknown): number {
    this.options.onError(error);
    return this.maxMs * (0.5 + Math.random() / 2);
  }

  private get maxMs(): number {
    return ask(this.options.maxMs);
  }
}

const ask = (ms: number | (() => number)): number => (typeof ms === 'function' ? ms() : ms);
