import { type Loops, PollLoop } from '../../time/poll-loop.js';

export interface OutboxPrunerOptions {
  /** How long events stay, ms. */
  retainMs: number;
  onError: (error: unknown) => void;
  /** The time between two passes. Default one minute, or a tenth of `retainMs` if that is less; at least a second. */
  pauseMs?: number;
  /** Whether runs have channels here, whose positions are deleted. Default: no. */
  sweeps?: () => boolean;
  /** The number of events that one statement checks. Default 1,000. */
  batchSize?: number;
}

/** Removes retained events once `retainMs` has passed, in small batches. */
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

  get loops(): Loops {
    return { 'outbox.pruning': this.loop };
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** One complete pass. Returns the number of removed events. */
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
    if (next !== undefined) return 'busy';
    const { sweeps, batchSize = 1_000 } = this.options;
    return sweeps?.() && (await this.pruning.sweep(batchSize)).more ? 'busy' : 'idle';
  }

  private prune(after: string) {
    const { retainMs, batchSize = 1_000 } = this.options;
    return this.pruning.prune({ retainMs, after, limit: batchSize });
  }
}

export interface PruneRequest {
  /** How long events stay after they were written, ms. */
  retainMs: number;
  /** The number after which to start; `'0'` for the first call. */
  after: string;
  /** The maximum number of rows to check and remove. */
  limit: number;
}

export interface Swept {
  /** Of the kind with the most. */
  deleted: number;
  /** Whether the next call is likely to delete something. */
  more: boolean;
}

export interface Pruned {
  removed: number;
  /** The next `after`; undefined when no later event is old enough. */
  next: string | undefined;
}

/** Removes published events once they are old enough. */
export interface EventPruning {
  /**
   * Checks the first `limit` events after a number and removes those that have been processed and are older than
   * `retainMs`. The last removed number of each channel is stored in the same commit and never decreases. The newest
   * event of all is kept. Two concurrent calls may do the same work.
   */
  prune(request: PruneRequest): Promise<Pruned>;
  /**
   * Looks at up to `limit` positions of each kind in channels of runs, from where the last call of this process ended,
   * and deletes those in which nothing is pending, blocked or requeued: every run has a channel, which would otherwise
   * leave rows behind. Never waits for a lock.
   */
  sweep(limit: number): Promise<Swept>;
}
