import { DatabaseError, WriteRefusedError } from '../../errors/database-errors.js';
import { mayPass, untilBack } from '../../leasing/until-back.js';
import type { Transaction } from '../../protocol/transaction.js';
import { Batcher } from '../../time/batcher.js';
import { atMost } from '../../time/sleep.js';
import { stopwatch } from '../../time/clock.js';
import { AsideWrites, type BlameLimits, WriteProbe } from './aside-writes.js';
import { type PlayedWrite, keyOf, merge, sizeOfWrite } from './merged-writes.js';
import { type OutgoingPorts, outgoingTo } from './outgoing-writes.js';
import type { CheckedEvent } from '../model/outgoing.js';
import type { ClaimedRun, RunTransition } from '../model/run.js';
import { newsOf, type RunHooks } from '../model/run-hooks.js';
import type { Outgoing, RefusedWrite, RunStore, RunWrite } from '../model/run-store.js';

/**
 * The outcome of a write. `lost`: the activation no longer owns the run. `ahead`: it does, but the database has lost
 * commits of the run. `settled`: the step of a transaction has its outcome already. In these cases nothing was written.
 */
export type Recorded = 'written' | 'lost' | 'ahead' | 'settled';

export interface RecorderPorts extends OutgoingPorts {
  store: RunStore;
  onError: (error: unknown) => void;
  /** The process that plays the runs. Default: the owner is not checked. */
  owner?: string;
  /** Undefined if nobody can declare hooks. */
  hooks?: Pick<RunHooks, 'eventOf'> | undefined;
  /** When a run is blocked because the database refuses its write. */
  blame?: BlameLimits;
  /** Called with all runs that one commit has found to be ahead of the database. */
  onHistoryLost?: (runIds: readonly string[]) => void;
  /** Called after each commit with the number of its writes. */
  onCommitted?: (writes: number, durationMs: number) => void;
}

const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** A batch that failed this often, or for this long, is retried write by write if the database is reachable. */
const MOST_FAILURES = 3;
const PATIENCE_MS = 300;

/** Thrown internally only. */
class FailedTogether extends Error {}

/**
 * Writes the records of all runs of this process in batches, in the order of the requests. It waits while the database
 * is unavailable; an invalid write fails alone.
 */
export class Recorder {
  private readonly batcher: Batcher<PlayedWrite, Recorded | Promise<Recorded>>;
  private readonly aside: AsideWrites<Recorded>;
  private readonly outgoing: Outgoing;
  private readonly stopped = new AbortController();
  private committed = 0;
  /** Claims with a failed write: their later writes must not be done either. */
  private readonly broken = new Set<string>();

  constructor(
    private readonly ports: RecorderPorts,
    maxItems = 500,
  ) {
    this.outgoing = outgoingTo(ports);
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

  /** Like `record`, in an open transaction, without retries. The caller updates the footing after the commit. */
  async recordIn(tx: Transaction, write: PlayedWrite): Promise<Recorded> {
    this.sign(write);
    const refused = await this.ports.store.commit([write], this.outgoing, tx);
    this.tellOfLosses([write], refused);
    return outcomeOf(refused);
  }

  /** The event for hooks, if one of them wants to hear of this transition. */
  eventOf(run: ClaimedRun, transition: RunTransition): CheckedEvent | undefined {
    const { hooks } = this.ports;
    const news = hooks && newsOf(run, transition);
    return news && hooks.eventOf(news);
  }

  private sign(write: PlayedWrite): void {
    if (write.footing) write.known = write.footing.known;
    if (this.ports.owner !== undefined) write.owner = this.ports.owner;
  }

  /** Waits for writes in progress, at most `graceMs`; then writes fail if the database is unavailable. */
  async stop(graceMs: number): Promise<void> {
    await atMost(graceMs, this.idle());
    this.stopped.abort();
    await this.idle();
  }

  private async idle(): Promise<void> {
    await this.batcher.idle();
    await this.aside.idle();
  }

  private async write(writes: readonly PlayedWrite[]): Promise<(Recorded | Promise<Recorded>)[]> {
    const { aside } = this;
    // Writes of runs that have earlier writes aside.
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
      // The batcher retries several writes in halves.
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

  /** The writers are notified and write no more; only their queued writes must be stopped. */
  private breakOff(writes: readonly RunWrite[]): void {
    for (const { runId, epoch } of writes) this.broken.add(keyOf(runId, epoch));
    void this.batcher.idle().then(() => this.broken.clear());
  }

  private async persist(writes: readonly PlayedWrite[]): Promise<readonly RefusedWrite[]> {
    if (writes.length === 0) return [];
    const began = stopwatch.now();
    const onFailure = async (error: unknown, failures: number) => {
      inDoubt(writes);
      this.ports.onError(error);
      const often = failures >= MOST_FAILURES || stopwatch.now() - began >= PATIENCE_MS;
      if (often && (await this.answersOtherwise(writes))) throw new FailedTogether();
    };
    const patience = { stopped: this.stopped.signal, passes: mayPass, onFailure, retry: RETRY };
    return untilBack(() => this.commit(writes), patience);
  }

  /** Whether the database is reachable: it answers a query, with any result. */
  private answersOtherwise(writes: readonly RunWrite[]): Promise<boolean> {
    const [one] = writes.map(({ runId, epoch, owner = '' }) => ({ runId, epoch, owner }));
    return this.ports.store.lost([one!]).then(
      () => true,
      () => false,
    );
  }

  private async commit(writes: readonly PlayedWrite[]): Promise<readonly RefusedWrite[]> {
    for (const write of writes) this.sign(write);
    const began = stopwatch.now();
    const refused = await this.ports.store.commit(writes, this.outgoing);
    this.committed++;
    this.ports.onCommitted?.(writes.length, stopwatch.now() - began);
    this.hearOf(writes, refused);
    return refused;
  }

  private hearOf(writes: readonly PlayedWrite[], refused: readonly RefusedWrite[]): void {
    const lost = new Set(refused.map(({ runId, epoch }) => keyOf(runId, epoch)));
    for (const { runId, epoch, steps, known = [], footing } of writes)
      if (lost.size === 0 || !lost.has(keyOf(runId, epoch))) footing?.stepOnto(steps, known);
    this.tellOfLosses(writes, refused);
  }

  private tellOfLosses(writes: readonly PlayedWrite[], refused: readonly RefusedWrite[]): void {
    const ahead = new Set(refused.filter(isAhead).map(({ runId, epoch }) => keyOf(runId, epoch)));
    if (ahead.size === 0) return;
    const isNews = ({ runId, epoch, footing }: PlayedWrite) =>
      ahead.has(keyOf(runId, epoch)) && footing?.lose() !== false;
    const runIds = writes.filter(isNews).map(({ runId }) => runId);
    if (runIds.length > 0) this.ports.onHistoryLost?.(runIds);
  }
}

const isAhead = ({ because }: RefusedWrite): boolean => because === 'ahead';

const outcomeOf = ([refused]: readonly RefusedWrite[]): Recorded => (refused ? (refused.because ?? 'lost') : 'written');

/** Their commit may have succeeded although its reply was lost. */
function inDoubt(writes: readonly RunWrite[]): void {
  for (const write of writes) write.again = true;
}

/** Converts a permanent error of a single write to a {@link WriteRefusedError}. */
const asRefusal = ([write]: readonly RunWrite[], error: unknown): unknown =>
  write && error instanceof DatabaseError && !mayPass(error) ? new WriteRefusedError(write.runId, 1, error) : error;
