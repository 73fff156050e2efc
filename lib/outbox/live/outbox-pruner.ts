import { PollLoop } from '../../time/poll-loop.js';
import type { EventPruning } from './event-pruning.js';

export interface OutboxPrunerOptions {
  /** How long events stay, ms. */
  retainMs: number;
  onError: (error: unknown) => void;
  /** The time between two passes. Default one minute, or a tenth of `retainMs` if that is less; at least a second. */
  pauseMs?: number;
  /** How many events one statement looks at. Default 1,000. */
  batchSize?: number;
}

/** Removes retained events that have become old enough, a small batch at a time. */
export class OutboxPruner {
  private readonly loop: PollLoop;
  private after = '0';

  constructor(
    private readonly pruning: EventPruning,
    private readonly options: OutboxPrunerOptions,
  ) {
    const { retainMs, onError, pauseMs = Math.max(1_000, Math.min(60_000, retainMs / 10)) } = options;
    this.loop = new PollLoop(() => this.step(), { minMs: pauseMs, maxMs: pauseMs, onError });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** One pass to its end. Answers how many were removed. */
  async runOnce(): Promise<number> {
    let total = 0;
    let after: string | undefined = '0';
    while (after !== undefined) {
      const { removed, next } = await this.prune(after);
      total += removed;
      after = next;
    }
    return total;
  }

  private async step(): Promise<'busy' | 'idle'> {
    const { next } = await this.prune(this.after);
    this.after = next ?? '0';
    return next === undefined ? 'idle' : 'busy';
  }

  private prune(after: string) {
    const { retainMs, batchSize = 1_000 } = this.options;
    return this.pruning.prune({ retainMs, after, limit: batchSize });
  }
}
