import { type PlayedWrite, keyOf } from './merged-writes.js';
import type { LogLine, RunStore, RunWrite } from '../model/run-store.js';
import { type DatabaseError, WriteRefusedError } from '../../errors/database-errors.js';
import { mayPass, untilBack } from '../../leasing/until-back.js';
import type { BackoffOptions } from '../../time/backoff.js';
import { type Clock, stopwatch, systemClock } from '../../time/clock.js';
import { type Overtime, Semaphore } from '../../time/semaphore.js';

/** The text must remain true after the run has been blocked. */
const MESSAGE =
  'The database does not accept what this run records: it is now written separately from other runs; ' +
  'if its writes continue to fail, the run is blocked as write_refused';

/**
 * Checks whether the database accepts another write of a run whose write it refuses: a line in the run's log. A smaller
 * check is not enough: a database that accepts no writes may still permit locks and empty commits. An activation stores
 * its line once, no matter how often it retries the write; a later activation adds its own line.
 */
export class WriteProbe {
  private readonly lines = new WeakMap<RunWrite, LogLine>();

  constructor(
    private readonly store: Pick<RunStore, 'commit'>,
    private readonly sign: (write: PlayedWrite) => void,
  ) {}

  /** Also returns false if the claim is lost: then the check has no result. */
  async passes(write: PlayedWrite): Promise<boolean> {
    const { runId, epoch, footing } = write;
    const line = this.lineOf(write);
    const probe: PlayedWrite = {
      runId,
      epoch,
      steps: [],
      tasks: [],
      takes: [],
      withdraws: [],
      ...(footing && { footing }),
      extras: { replacedLogs: [line] },
    };
    this.sign(probe);
    return this.store
      .commit([probe], async () => undefined)
      .then(
        (refused) => refused.length === 0,
        () => false,
      );
  }

  private lineOf(write: RunWrite): LogLine {
    const said = this.lines.get(write);
    if (said) return said;
    const loggedAt = systemClock.now();
    const line = { seq: null, attempt: null, level: 'warn', message: MESSAGE, fields: null, loggedAt } as const;
    this.lines.set(write, line);
    return line;
  }
}

/** When a write that keeps failing counts as the reason itself: once both limits are reached. */
export interface BlameLimits {
  /** The number of failures while other writes succeeded. */
  failures: number;
  /** The time from the first of these failures to the last. */
  patienceMs: number;
  retry: BackoffOptions;
}

export interface AsidePorts<Answer extends string> {
  /** Commits one write. */
  commit: (write: RunWrite) => Promise<Answer>;
  /** How many commits have succeeded so far, of any runs. */
  committed: () => number;
  /** Whether a small write of the same run succeeds. */
  probe: (write: RunWrite) => Promise<boolean>;
  onError: (error: unknown) => void;
  stopped: AbortSignal;
  /** Measures how long a write has failed. Default: this process's monotonic clock. */
  elapsed?: Clock;
  limits?: BlameLimits;
}

/**
 * With an unstable connection, as behind a restarting proxy, some writes fail many times in a row while others succeed.
 * A blocked run waits for an operator, while an unblocked one costs only an attempt every two seconds. So the limits
 * are high: if half of the attempts fail, one write in 4,096 reaches this many failures, and fewer reach this time.
 */
export const BLAME_LIMITS: BlameLimits = {
  failures: 12,
  patienceMs: 10_000,
  retry: { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' },
};

/** Low, since each write may hold a connection until its statement times out. */
const AT_ONCE = 2;
/** A hanging write must not block the writes after it, and many hanging writes must not take the whole pool. */
const OVERTIME: Overtime = { afterMs: 1_000, most: 4 };

/**
 * Retries writes that failed in a batch, each one alone and in parallel to those of other runs, so that a write which
 * the database never accepts blocks no other run. The writes of one run keep their order. While no other write
 * succeeds, no write is blamed.
 */
export class AsideWrites<Answer extends string> {
  private readonly queues = new Map<string, { tail: Promise<boolean>; waiting: number }>();
  /** Most writes here only shared a batch with a faulty one, so they do not wait for writes that failed alone. */
  private readonly firstTries = new Semaphore(AT_ONCE, OVERTIME);
  private readonly furtherTries = new Semaphore(AT_ONCE);
  private readonly elapsed: Clock;
  private readonly limits: BlameLimits;

  constructor(private readonly ports: AsidePorts<Answer>) {
    this.elapsed = ports.elapsed ?? stopwatch;
    this.limits = ports.limits ?? BLAME_LIMITS;
  }

  get size(): number {
    return this.queues.size;
  }

  /** Whether a write of this claim must wait for earlier writes of the claim. */
  has({ runId, epoch }: RunWrite): boolean {
    return this.queues.has(keyOf(runId, epoch));
  }

  /** @throws WriteRefusedError when the write itself is the reason; later writes of its run are lost then. */
  add(write: RunWrite): Promise<Answer | 'lost'> {
    const key = keyOf(write.runId, write.epoch);
    const queue = this.queues.get(key) ?? { tail: Promise.resolve(true), waiting: 0 };
    this.queues.set(key, queue);
    queue.waiting++;
    const recorded = queue.tail.then((goesOn) => (goesOn ? this.insist(write) : 'lost'));
    queue.tail = recorded.then(
      (outcome) => outcome === 'written',
      () => false,
    );
    void queue.tail.then(() => --queue.waiting === 0 && this.queues.delete(key));
    return recorded;
  }

  async idle(): Promise<void> {
    while (this.queues.size > 0) await Promise.all([...this.queues.values()].map(({ tail }) => tail));
  }

  private async insist(write: RunWrite): Promise<Answer | 'lost'> {
    const { ports, limits } = this;
    let committed = ports.committed();
    let [alone, aloneSince] = [0, 0];
    const blame = async (error: unknown, failures: number) => {
      if (!mayPass(error)) throw new WriteRefusedError(write.runId, failures, error as DatabaseError);
      write.again = true;
      ports.onError(error);
      if (await this.failsAlone(write, error, committed)) {
        if (alone++ === 0) aloneSince = this.elapsed.now();
        if (alone >= limits.failures && this.elapsed.now() - aloneSince >= limits.patienceMs)
          throw new WriteRefusedError(write.runId, failures, error);
      }
      committed = ports.committed();
    };
    const commit = (failures: number) =>
      (failures === 0 ? this.firstTries : this.furtherTries).run(() => ports.commit(write));
    return untilBack(commit, { stopped: ports.stopped, onFailure: blame, retry: limits.retry });
  }

  /**
   * Whether other writes have succeeded since the last attempt. If there were none, a probe checks it; not for
   * unclassified errors, since a permission or a column may be missing for all runs.
   */
  private async failsAlone(write: RunWrite, error: DatabaseError, committed: number): Promise<boolean> {
    if (error.elsewhere) return false;
    if (this.ports.committed() > committed) return true;
    return error.transient && (await this.furtherTries.run(() => this.ports.probe(write)));
  }
}
