import { type PlayedWrite, keyOf } from './merged-writes.js';
import type { LogLine, RunStore, RunWrite } from '../model/run-store.js';
import { type DatabaseError, WriteRefusedError } from '../../errors.js';
import { mayPass, untilBack } from '../../leasing/until-back.js';
import type { BackoffOptions } from '../../time/backoff.js';
import { type Clock, stopwatch, systemClock } from '../../time/clock.js';
import { type Overtime, Semaphore } from '../../time/semaphore.js';

/** Stays true after the run has been blocked. */
const MESSAGE =
  'The database does not take what this run is to record: it is tried apart from other runs; ' +
  'a run whose writes go on failing is blocked as write_refused';

/**
 * Tells whether the database takes something else of a run of which it does not take a write: a line of the run's log, for
 * whoever looks at it. Nothing less tells as much: where nobody can write, rows may still be locked and nothing be
 * committed. However often an activation tries a write, its line stands there once; a later activation adds its own.
 */
export class WriteProbe {
  private readonly lines = new WeakMap<RunWrite, LogLine>();

  constructor(
    private readonly store: Pick<RunStore, 'commit'>,
    private readonly sign: (write: PlayedWrite) => void,
  ) {}

  /** False also where the claim is lost: of a run that is another's nothing can be told. */
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

/** When a write that fails again and again is at fault itself: when both have been reached. */
export interface BlameLimits {
  /** So many failures while others succeeded. */
  failures: number;
  /** So long from the first of these to the last. */
  patienceMs: number;
  retry: BackoffOptions;
}

export interface AsidePorts<Answer extends string> {
  /** Commits one write. */
  commit: (write: RunWrite) => Promise<Answer>;
  /** How many commits have succeeded so far, of whichever runs. */
  committed: () => number;
  /** Whether something small is written of the same run. */
  probe: (write: RunWrite) => Promise<boolean>;
  onError: (error: unknown) => void;
  stopped: AbortSignal;
  /** Tells how long a write has failed. Default: this machine's. */
  elapsed?: Clock;
  limits?: BlameLimits;
}

/**
 * A connection that comes and goes, as behind a proxy that restarts, fails some writes many times in a row and lets
 * others through. A run that is blocked waits for people, and one that is not costs a try every other second. So this is
 * long: of writes that fail half of the time one in 4,096 comes to so many failures, and fewer last so long.
 */
export const BLAME_LIMITS: BlameLimits = {
  failures: 12,
  patienceMs: 10_000,
  retry: { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' },
};

/** So few, since each may hold a connection until its statement times out. */
const AT_ONCE = 2;
/** A write that hangs must not hold up those behind it, nor may many that hang take all connections of the pool. */
const OVERTIME: Overtime = { afterMs: 1_000, most: 4 };

/**
 * Writes that failed together with others, each tried by itself from then on and beside those of other runs: so one that
 * the database will never take holds up no other. What one run writes stays in its order. While nothing else succeeds
 * either, no write is at fault.
 */
export class AsideWrites<Answer extends string> {
  private readonly queues = new Map<string, { tail: Promise<boolean>; waiting: number }>();
  /** Most writes that come are neighbours of one at fault, so they do not wait for those that have failed by themselves. */
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

  /** Whether what this claim writes has to wait for what it wrote before. */
  has({ runId, epoch }: RunWrite): boolean {
    return this.queues.has(keyOf(runId, epoch));
  }

  /** @throws WriteRefusedError when the write itself is at fault; what its run has written behind it is lost. */
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
   * Whether something else has been written since the try before. Where nobody writes it is tried out, but for an error
   * that nobody knows, which says nothing: a right or a column may be missing for all.
   */
  private async failsAlone(write: RunWrite, error: DatabaseError, committed: number): Promise<boolean> {
    if (error.elsewhere) return false;
    if (this.ports.committed() > committed) return true;
    return error.transient && (await this.furtherTries.run(() => this.ports.probe(write)));
  }
}
