import { PollLoop } from '../../time/poll-loop.js';

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
    this.loop = new PollLoop(() => this.step(), { maxMs: pauseMs, onError });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** One pass to its end. Returns how many were removed. */
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

export interface PruneRequest {
  /** How long events stay after they were written, ms. */
  retainMs: number;
  /** The number behind which the look begins; `'0'` for the first. */
  after: string;
  /** How many rows it looks at, and removes at the most. */
  limit: number;
}

export interface Pruned {
  removed: number;
  /** Where to go on; undefined when there is nothing old enough behind. */
  next: string | undefined;
}

/** Removes events that were delivered, once they are old enough. */
export interface EventPruning {
  /**
   * Looks at the first `limit` events behind a number and removes those that have been processed and are older than
   * `retainMs`. How far each channel was removed is written in the same commit, and never decreases. The newest event of
   * all stays. Of two at once both may do the same.
   */
  prune(request: PruneRequest): Promise<Pruned>;
}
