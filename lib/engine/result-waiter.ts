import { PollLoop } from '../time/poll-loop.js';
import type { RunCatalog } from './run-catalog.js';
import { isFinal, type RunRecord } from './run.js';

interface Waiting {
  resolve: (run: RunRecord | undefined) => void;
  /** The run may not be visible yet: its transaction is still open. */
  mayAppear: boolean;
}

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
  private readonly waiting = new Map<string, Set<Waiting>>();
  /** Runs to look at next, of those that are waited for; without any, all are looked at. */
  private readonly hinted = new Set<string>();
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

  /**
   * Resolves with the run once it has ended, and never when `signal` aborts first. A run that is not there resolves to
   * undefined, unless it `mayAppear`.
   */
  wait(id: string, signal: AbortSignal, mayAppear: boolean): Promise<RunRecord | undefined> {
    return new Promise((resolve) => {
      const one = { resolve, mayAppear };
      const others = this.waiting.get(id) ?? new Set<Waiting>();
      this.waiting.set(id, others.add(one));
      signal.addEventListener('abort', () => this.forget(id, one), { once: true });
      this.begin(id);
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    this.waiting.clear();
    await this.loop.stop();
  }

  private begin(id: string): void {
    if (this.stopped) return;
    this.unsubscribe ??= this.catalog.onFinished((ids) => this.finished(ids));
    this.hinted.add(id);
    this.loop.start();
    this.loop.wake();
  }

  private finished(ids: readonly string[] | undefined): void {
    const ours = ids?.filter((id) => this.waiting.has(id));
    if (ours?.length === 0) return;
    if (ours) for (const id of ours) this.hinted.add(id);
    else this.hinted.clear();
    this.loop.wake();
  }

  private forget(id: string, one: Waiting): void {
    const waiting = this.waiting.get(id);
    waiting?.delete(one);
    if (waiting?.size === 0) this.waiting.delete(id);
  }

  private async look(): Promise<'active' | 'idle'> {
    const ids = [...(this.hinted.size > 0 ? this.hinted : this.waiting.keys())].filter((id) => this.waiting.has(id));
    this.hinted.clear();
    if (ids.length === 0) return 'idle';
    const runs = await this.catalog.find(ids);
    for (const run of runs) if (isFinal(run.status)) this.resolve(run.id, run, () => true);
    const there = new Set(runs.map(({ id }) => id));
    for (const id of ids) if (!there.has(id)) this.resolve(id, undefined, ({ mayAppear }) => !mayAppear);
    return runs.some(({ status }) => isFinal(status)) ? 'active' : 'idle';
  }

  private resolve(id: string, run: RunRecord | undefined, which: (one: Waiting) => boolean): void {
    for (const one of [...(this.waiting.get(id) ?? [])].filter(which)) {
      one.resolve(run);
      this.forget(id, one);
    }
  }
}
