import { PollLoop } from '../time/poll-loop.js';
import type { RunCatalog } from './run-catalog.js';
import { isFinal, type RunRecord } from './run.js';

type Settle = { resolve: (run: RunRecord) => void };

export interface ResultWaiterOptions {
  /** The longest time between two looks, in ms, however many runs are waited for. */
  pollMs: number;
  /** Whether notifications tell of runs that end in other processes just now: then the poll only stands behind them. */
  notified?: () => boolean;
  onError: (error: unknown) => void;
}

const FASTEST_POLL_MS = 50;
/** While nobody waits there is nothing to look for. */
const NOBODY_WAITS_MS = 60_000;

/** Everybody in this process who waits for a run's end, on one poll for all of them, and none while nobody waits. */
export class ResultWaiter {
  private readonly waiting = new Map<string, Set<Settle>>();
  private readonly loop: PollLoop;
  private unsubscribe: (() => void) | undefined;
  private stopped = false;

  constructor(
    private readonly catalog: RunCatalog,
    options: ResultWaiterOptions,
  ) {
    const { pollMs, notified = () => false, onError } = options;
    const napMs = (ms: number) => (this.waiting.size > 0 ? ms : NOBODY_WAITS_MS);
    const minMs = () => napMs(notified() ? pollMs : FASTEST_POLL_MS);
    this.loop = new PollLoop(() => this.look(), { minMs, maxMs: () => napMs(pollMs), onError });
  }

  /** Resolves with the run once it has ended; never when `signal` aborts first. */
  wait(id: string, signal: AbortSignal): Promise<RunRecord> {
    return new Promise((resolve) => {
      const settle = { resolve };
      const others = this.waiting.get(id) ?? new Set<Settle>();
      this.waiting.set(id, others.add(settle));
      signal.addEventListener('abort', () => this.forget(id, settle), { once: true });
      this.begin();
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    this.waiting.clear();
    await this.loop.stop();
  }

  private begin(): void {
    if (this.stopped) return;
    this.unsubscribe ??= this.catalog.onFinished(
      (ids) => (!ids || ids.some((id) => this.waiting.has(id))) && this.loop.wake(),
    );
    this.loop.start();
    this.loop.wake();
  }

  private forget(id: string, settle: Settle): void {
    const waiting = this.waiting.get(id);
    waiting?.delete(settle);
    if (waiting?.size === 0) this.waiting.delete(id);
  }

  private async look(): Promise<'active' | 'idle'> {
    const ids = [...this.waiting.keys()];
    if (ids.length === 0) return 'idle';
    const ended = (await this.catalog.find(ids)).filter(({ status }) => isFinal(status));
    for (const run of ended) {
      for (const { resolve } of this.waiting.get(run.id) ?? []) resolve(run);
      this.waiting.delete(run.id);
    }
    return ended.length > 0 ? 'active' : 'idle';
  }
}
