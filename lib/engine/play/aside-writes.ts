import { DatabaseError, WriteRefusedError } from '../../errors.js';
import { backoffMs } from '../../time/backoff.js';
import { stopwatch } from '../../time/clock.js';
import { sleep } from '../../time/sleep.js';
import type { RunWrite } from '../runs/run-store.js';
import { keyOf } from './merged-writes.js';

export interface AsidePorts<Answer extends string> {
  /** Commits one write. */
  commit: (write: RunWrite) => Promise<Answer>;
  /** How many commits have succeeded so far, of whichever runs. */
  committed: () => number;
  /** Whether something small is written of the same run. */
  probe: (write: RunWrite) => Promise<boolean>;
  onError: (error: unknown) => void;
  stopped: AbortSignal;
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** How many of these writes are tried at once. */
const AT_ONCE = 4;
/** A write that failed so often, while others succeeded each time, is at fault itself; not within less than so long. */
const MOST_FAILURES = 6;
const PATIENCE_MS = 2_000;

/** Whether trying again may help. */
export const mayPass = (error: unknown): error is DatabaseError => error instanceof DatabaseError && !error.aboutData;

/**
 * Writes that failed together with others, each tried by itself from then on and beside those of other runs: so one that
 * the database will never take holds up no other. What one run writes stays in its order. While nothing else succeeds
 * either, no write is at fault.
 */
export class AsideWrites<Answer extends string> {
  private readonly lines = new Map<string, { tail: Promise<boolean>; waiting: number }>();
  private readonly queue: (() => void)[] = [];
  private free = AT_ONCE;

  constructor(private readonly ports: AsidePorts<Answer>) {}

  get size(): number {
    return this.lines.size;
  }

  /** Whether what this claim writes has to wait for what it wrote before. */
  has({ runId, epoch }: RunWrite): boolean {
    return this.lines.has(keyOf(runId, epoch));
  }

  /** @throws WriteRefusedError when the write itself is at fault; what its run has written behind it is lost. */
  add(write: RunWrite): Promise<Answer | 'lost'> {
    const key = keyOf(write.runId, write.epoch);
    const line = this.lines.get(key) ?? { tail: Promise.resolve(true), waiting: 0 };
    this.lines.set(key, line);
    line.waiting++;
    const recorded = line.tail.then((goesOn) => (goesOn ? this.insist(write) : 'lost'));
    line.tail = recorded.then(
      (outcome) => outcome === 'written',
      () => false,
    );
    void line.tail.then(() => --line.waiting === 0 && this.lines.delete(key));
    return recorded;
  }

  async idle(): Promise<void> {
    while (this.lines.size > 0) await Promise.all([...this.lines.values()].map(({ tail }) => tail));
  }

  private async insist(write: RunWrite): Promise<Answer | 'lost'> {
    const { ports } = this;
    const began = stopwatch.now();
    let committed = ports.committed();
    let alone = 0;
    for (let failures = 1; ; failures++) {
      try {
        return await this.inTurn(() => ports.commit(write));
      } catch (error) {
        if (!(error instanceof DatabaseError) || ports.stopped.aborted) throw error;
        if (!mayPass(error)) throw new WriteRefusedError(write.runId, failures, error);
        write.again = true;
        ports.onError(error);
        if (ports.committed() > committed || (await this.passesOtherwise(write, error)))
          alone += error.elsewhere ? 0 : 1;
        if (alone >= MOST_FAILURES && stopwatch.now() - began >= PATIENCE_MS)
          throw new WriteRefusedError(write.runId, failures, error);
        committed = ports.committed();
        await sleep(backoffMs(failures, RETRY), ports.stopped);
      }
    }
  }

  /** Of an error that nobody knows it says nothing: a right or a column may be missing for all. */
  private async passesOtherwise(write: RunWrite, error: DatabaseError): Promise<boolean> {
    return error.transient && !error.elsewhere && (await this.ports.probe(write));
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.free++;
    }
  }
}
