import { ResultAbandonedError } from '../../errors/run-errors.js';
import { PollLoop } from '../../time/poll-loop.js';
import type { RunCatalog } from '../model/run-catalog.js';
import { isFinal, type RunRecord } from '../model/run.js';

interface Waiting {
  resolve: (run: RunRecord | undefined) => void;
  reject: (error: Error) => void;
  /** The run may not be visible yet: its transaction is still open. */
  mayAppear: boolean;
}

export interface ResultWaiterOptions {
  /** The longest time between two polls, in ms, no matter how many runs are waited for. */
  pollMs: number;
  /** Whether notifications of runs that end in other processes currently arrive: then polling is only a fallback. */
  notified?: () => boolean;
  onError: (error: unknown) => void;
  /** Begins what polls: it goes on when the caller no longer waits, and does not belong to the caller's trace. */
  quietly?: (begin: () => void) => void;
}

const FASTEST_POLL_MS = 50;
/** The poll interval while no caller waits. */
const NOBODY_WAITS_MS = 60_000;

/** Waits for the ends of runs, with one shared poll for all callers in this process. */
export class ResultWaiter {
  private readonly waiting = new Map<string, Set<Waiting>>();
  /** Awaited runs to read now. */
  private readonly hinted = new Set<string>();
  /** Reads the hinted runs at once. */
  private readonly hints: PollLoop;
  /** Reads all awaited runs, no matter how many hints come meanwhile: not every end is hinted. */
  private readonly polls: PollLoop;
  private unsubscribe: (() => void) | undefined;
  private stopped = false;

  constructor(
    private readonly catalog: RunCatalog,
    private readonly options: ResultWaiterOptions,
  ) {
    const { pollMs, notified = () => false, onError } = options;
    const napMs = (ms: number) => (this.waiting.size > 0 ? ms : NOBODY_WAITS_MS);
    const minMs = () => napMs(notified() ? pollMs : FASTEST_POLL_MS);
    this.polls = new PollLoop(() => this.look([...this.waiting.keys()]), {
      minMs,
      maxMs: () => napMs(pollMs),
      onError,
    });
    this.hints = new PollLoop(() => this.lookAtHinted(), { maxMs: NOBODY_WAITS_MS, onError });
  }

  /**
   * Resolves with the run once it has ended, and never if `signal` aborts first. Resolves to undefined if the run does
   * not exist, unless it `mayAppear`.
   *
   * @throws ResultAbandonedError when this process stops first.
   */
  wait(id: string, signal: AbortSignal, mayAppear: boolean): Promise<RunRecord | undefined> {
    if (this.stopped) return Promise.reject(new ResultAbandonedError(id));
    return new Promise((resolve, reject) => {
      const one = { resolve, reject, mayAppear };
      const others = this.waiting.get(id) ?? new Set<Waiting>();
      this.waiting.set(id, others.add(one));
      signal.addEventListener('abort', () => this.forget(id, one), { once: true });
      this.begin(id);
    });
  }

  /** Rejects all pending waits: a request that waits forever would keep the process from ending. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    for (const [id, waiting] of this.waiting) for (const { reject } of waiting) reject(new ResultAbandonedError(id));
    this.waiting.clear();
    await Promise.all([this.hints.stop(), this.polls.stop()]);
  }

  private begin(id: string): void {
    const { quietly = (begin) => begin() } = this.options;
    this.unsubscribe ??= this.catalog.onFinished((ids) => this.finished(ids));
    quietly(() => {
      this.hints.start();
      this.polls.start();
    });
    this.hint(id);
    this.polls.hurry();
  }

  private finished(ids: readonly string[] | undefined): void {
    if (!ids) return this.polls.wake();
    for (const id of ids) if (this.waiting.has(id)) this.hint(id);
  }

  private hint(id: string): void {
    this.hinted.add(id);
    this.hints.wake();
  }

  private forget(id: string, one: Waiting): void {
    const waiting = this.waiting.get(id);
    waiting?.delete(one);
    if (waiting?.size === 0) this.waiting.delete(id);
  }

  private lookAtHinted(): Promise<'active' | 'idle'> {
    const ids = [...this.hinted].filter((id) => this.waiting.has(id));
    this.hinted.clear();
    return this.look(ids);
  }

  private async look(ids: readonly string[]): Promise<'active' | 'idle'> {
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
