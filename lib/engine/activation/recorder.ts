import { DatabaseError, WriteRefusedError } from '../../errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { backoffMs } from '../../time/backoff.js';
import { Batcher } from '../../time/batcher.js';
import { sleep } from '../../time/sleep.js';
import { stopwatch } from '../../time/clock.js';
import { AsideWrites, type BlameLimits, mayPass } from './aside-writes.js';
import { keyOf, merge, type PlayedWrite } from './merged-writes.js';
import { WriteProbe } from './write-probe.js';
import { sizeOfWrite } from './write-size.js';
import { type Endings, NO_ENDINGS, type RefusedWrite, type RunStore, type RunWrite } from '../model/run-store.js';
import type { CheckedOperation, StepEffects } from '../model/step-effects.js';
import type { CheckedEvent, StepEvents } from '../model/step-events.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';

/**
 * What became of a write. `lost`: the run is no longer this activation's. `ahead`: it is, and the database has lost commits
 * of it. `settled`: the step of a transaction has its outcome. Nothing was written then.
 */
export type Recorded = 'written' | 'lost' | 'ahead' | 'settled';

export interface RecorderPorts {
  store: RunStore;
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  /** Without it no step publishes anything. */
  events?: Pick<StepEvents, 'write' | 'announce'>;
  /** Without it no step has calls made. */
  effects?: Pick<StepEffects, 'write' | 'announce'>;
  onError: (error: unknown) => void;
  /** The process that plays the runs. Default: whoever owns them. */
  owner?: string;
  /** When a run is blocked for a write that is not taken. */
  blame?: BlameLimits;
  /** Told of runs that are ahead of the database, of all that one commit has found. */
  onHistoryLost?: (runIds: readonly string[]) => void;
  /** Told of what has been committed. */
  onCommitted?: (writes: readonly RunWrite[], endings: Endings) => void;
}

const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** Writes that have failed together so often, or for so long, are tried apart if the database answers otherwise. */
const MOST_FAILURES = 3;
const PATIENCE_MS = 300;

/** Thrown inside only. */
class FailedTogether extends Error {}

/**
 * Writes what all runs of this process have to record, many at a time, in the order they asked. A database that
 * is away is waited for; a write that cannot be done fails alone.
 */
export class Recorder {
  private readonly batcher: Batcher<PlayedWrite, Recorded | Promise<Recorded>>;
  private readonly aside: AsideWrites<Recorded>;
  private readonly stopped = new AbortController();
  private committed = 0;
  /** Claims of which a write could not be done: what they wrote after it must not be done either. */
  private readonly broken = new Set<string>();

  constructor(
    private readonly ports: RecorderPorts,
    maxItems = 500,
  ) {
    this.batcher = new Batcher((writes) => this.write(writes), {
      maxItems,
      sizeOf: sizeOfWrite,
      isolates: () => !this.stopped.signal.aborted,
    });
    const probe = new WriteProbe(ports.store, (write) => this.sign(write));
    this.aside = new AsideWrites({
      commit: async (write) => outcomeOf(await this.commit([write])),
      committed: () => this.committed,
      probe: (write) => probe.passes(write),
      onError: ports.onError,
      stopped: this.stopped.signal,
      ...(ports.blame && { limits: ports.blame }),
    });
  }

  async record(write: PlayedWrite): Promise<Recorded> {
    return this.batcher.add(write);
  }

  /** The same in a transaction that the caller has open; not retried here. Its footing is told by the caller, after the commit. */
  async recordIn(tx: Transaction, write: PlayedWrite): Promise<Recorded> {
    this.sign(write);
    const refused = await this.ports.store.commit([write], (...committed) => this.writeAlongside(...committed), tx);
    if (refused.some(isAhead)) this.ports.onHistoryLost?.([write.runId]);
    return outcomeOf(refused);
  }

  private sign(write: PlayedWrite): void {
    if (write.footing) write.known = write.footing.known;
    if (this.ports.owner !== undefined) write.owner = this.ports.owner;
  }

  /** Waits for what is under way; from then on a database that is away fails writes instead of holding them. */
  async stop(graceMs: number): Promise<void> {
    await Promise.race([this.idle(), sleep(graceMs, this.stopped.signal)]);
    this.stopped.abort();
    await this.idle();
  }

  private async idle(): Promise<void> {
    await this.batcher.idle();
    await this.aside.idle();
  }

  private async write(writes: readonly PlayedWrite[]): Promise<(Recorded | Promise<Recorded>)[]> {
    const { aside } = this;
    // Behind what their runs have written before.
    const apart = new Set(aside.size === 0 ? [] : writes.filter((write) => aside.has(write)));
    const together = apart.size === 0 ? writes : writes.filter((write) => !apart.has(write));
    const recorded = await this.writeTogether(together);
    let next = 0;
    return writes.map((write) => (apart.has(write) ? this.writeApart(write) : recorded[next++]!));
  }

  private async writeTogether(writes: readonly PlayedWrite[]): Promise<(Recorded | Promise<Recorded>)[]> {
    const { broken } = this;
    const whole = broken.size === 0 ? writes : writes.filter(({ runId, epoch }) => !broken.has(keyOf(runId, epoch)));
    try {
      const refused = new Map<string, Recorded>([...broken].map((key) => [key, 'lost']));
      for (const write of await this.persist(merge(whole)))
        refused.set(keyOf(write.runId, write.epoch), outcomeOf([write]));
      return writes.map(({ runId, epoch }) => (refused.size && refused.get(keyOf(runId, epoch))) || 'written');
    } catch (error) {
      inDoubt(writes);
      if (error instanceof FailedTogether) return writes.map((write) => this.writeApart(write));
      // Several are tried again in parts.
      if (writes.length > 1 && !this.stopped.signal.aborted) throw error;
      this.breakOff(whole);
      throw asRefusal(whole, error);
    }
  }

  private writeApart(write: RunWrite): Promise<Recorded> {
    if (this.broken.has(keyOf(write.runId, write.epoch))) return Promise.resolve('lost');
    const recorded = this.aside.add(write);
    recorded.catch(() => this.breakOff([write]));
    return recorded;
  }

  /** Whoever wrote these hears of it and writes no more; only what is queued already must be held back. */
  private breakOff(writes: readonly RunWrite[]): void {
    for (const { runId, epoch } of writes) this.broken.add(keyOf(runId, epoch));
    void this.batcher.idle().then(() => this.broken.clear());
  }

  private async persist(writes: readonly PlayedWrite[]): Promise<readonly RefusedWrite[]> {
    if (writes.length === 0) return [];
    const began = stopwatch.now();
    for (let failures = 1; ; failures++) {
      try {
        return await this.commit(writes);
      } catch (error) {
        if (!mayPass(error) || this.stopped.signal.aborted) throw error;
        inDoubt(writes);
        this.ports.onError(error);
        const often = failures >= MOST_FAILURES || stopwatch.now() - began >= PATIENCE_MS;
        if (often && (await this.answersOtherwise(writes))) throw new FailedTogether();
        await sleep(backoffMs(failures, RETRY), this.stopped.signal);
      }
    }
  }

  /** Whether the database is there; whatever it says of the claim, and whoever owns it. */
  private answersOtherwise(writes: readonly RunWrite[]): Promise<boolean> {
    const [one] = writes.map(({ runId, epoch, owner = '' }) => ({ runId, epoch, owner }));
    return this.ports.store.lost([one!]).then(
      () => true,
      () => false,
    );
  }

  private async commit(writes: readonly PlayedWrite[]): Promise<readonly RefusedWrite[]> {
    for (const write of writes) this.sign(write);
    const { store, dispatcher, answers, onCommitted } = this.ports;
    let ended = NO_ENDINGS;
    const refused = await store.commit(writes, (accepted, tx, endings) => {
      ended = endings;
      return this.writeAlongside(accepted, tx, endings);
    });
    this.committed++;
    const tasks = writes.flatMap((write) => write.tasks);
    if (tasks.length > 0) dispatcher.announce(tasks);
    const withdrawn = writes.flatMap((write) => write.withdraws);
    if (withdrawn.length > 0) dispatcher.announceWithdrawn?.(withdrawn);
    if (ended.answers.length > 0) answers.announceAnswers(ended.answers);
    this.announceOutgoing(writes);
    onCommitted?.(writes, ended);
    this.hearOf(writes, refused);
    return refused;
  }

  private hearOf(writes: readonly PlayedWrite[], refused: readonly RefusedWrite[]): void {
    const lost = new Set(refused.map(({ runId, epoch }) => keyOf(runId, epoch)));
    for (const { runId, epoch, steps, known = [], footing } of writes)
      if (lost.size === 0 || !lost.has(keyOf(runId, epoch))) footing?.stepOnto(steps, known);
    const ahead = refused.filter(isAhead).map(({ runId }) => runId);
    if (ahead.length > 0) this.ports.onHistoryLost?.(ahead);
  }

  private async writeAlongside(
    writes: readonly RunWrite[],
    tx: Transaction,
    endings: Endings,
  ): Promise<readonly StepAnswer[]> {
    const { dispatcher, answers, events, effects } = this.ports;
    const tasks = writes.flatMap((write) => write.tasks);
    const takes = writes.flatMap((write) => write.takes);
    const withdraws = writes.flatMap((write) => write.withdraws);
    const answered = withdraws.length > 0 ? await dispatcher.withdraw(withdraws, tx) : [];
    // Taken before the same step is asked again: a retry's answer must not meet the old one.
    if (takes.length > 0) await dispatcher.take(takes, tx);
    if (tasks.length > 0) await dispatcher.dispatch(tasks, tx);
    if (endings.answers.length > 0) await answers.answer(endings.answers, tx);
    const enqueued = operationsOf(writes);
    if (enqueued.length > 0) await effects?.write(enqueued, tx);
    // Last of all: it takes locks that other transactions take last.
    const published = eventsOf(writes);
    if (published.length > 0) await events?.write(published, tx);
    return answered;
  }

  private announceOutgoing(writes: readonly RunWrite[]): void {
    const enqueued = operationsOf(writes);
    if (enqueued.length > 0) this.ports.effects?.announce(enqueued);
    const published = eventsOf(writes);
    if (published.length > 0) this.ports.events?.announce(published);
  }
}

const isAhead = ({ because }: RefusedWrite): boolean => because === 'ahead';

const outcomeOf = ([refused]: readonly RefusedWrite[]): Recorded => (refused ? (refused.because ?? 'lost') : 'written');

/** Their commit may have happened although nobody heard of it. */
function inDoubt(writes: readonly RunWrite[]): void {
  for (const write of writes) write.again = true;
}

/** What the database refuses of one run for good. */
const asRefusal = ([write]: readonly RunWrite[], error: unknown): unknown =>
  write && error instanceof DatabaseError && !mayPass(error) ? new WriteRefusedError(write.runId, 1, error) : error;

const eventsOf = (writes: readonly RunWrite[]): CheckedEvent[] =>
  writes.flatMap(({ extras }) => (extras?.publishes ?? []).flatMap(({ events }) => events));

const operationsOf = (writes: readonly RunWrite[]): CheckedOperation[] =>
  writes.flatMap(({ extras }) => (extras?.enqueues ?? []).map(({ operation }) => operation));
