import { DatabaseError, WriteRefusedError } from '../../core/errors.js';
import { mayPass, untilBack } from '../../core/leasing.js';
import { Batcher, MAX_SIZE, type Overtime, Semaphore } from '../../core/loops.js';
import type { StepTask } from '../../core/protocol.js';
import { atMost, type BackoffOptions, type Clock, macrotask, stopwatch, systemClock } from '../../core/time.js';
import type { Transaction } from '../../core/transaction.js';
import { newsOf, type RunHooks } from '../endings.js';
import type { ClaimedRun, RunTransition } from '../run.js';
import {
  type Endings,
  type KnownStep,
  type LogLine,
  type Outgoing,
  type RefusedWrite,
  type RunClaim,
  type RunExtras,
  type RunStore,
  type RunWrite,
  type SignalWait,
  UnheldTasks,
} from '../runs.js';
import type { CheckedEvent, RunOperation, StepEffects, StepEvents, StepRecord } from '../step.js';
import type { AnswerWriter, TaskDispatcher } from '../tasks.js';

/**
 * The outcome of a write. `lost`: the activation no longer owns the run. `ahead`: it does, but the database has lost
 * commits of the run. `settled`: the step of a transaction has its outcome already. `unheld`: another worker may hold a
 * task whose outcome it has. In these cases nothing was written.
 */
export type Recorded = 'written' | 'lost' | 'ahead' | 'settled' | 'unheld';

export interface RecorderPorts extends OutgoingPorts {
  store: RunStore;
  onError: (error: unknown) => void;
  /** The process that plays the runs. Default: the owner is not checked. */
  owner?: string;
  /** Says the time of the storage. Default: that of this machine. */
  clock?: Clock;
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

  constructor(private readonly ports: RecorderPorts) {
    this.outgoing = outgoingTo(ports);
    this.batcher = new Batcher((writes) => this.write(writes), {
      sizeOf: sizeOfWrite,
      keyOf: ({ runId }) => runId,
      isolates: () => !this.stopped.signal.aborted,
    });
    const probe = new WriteProbe(ports.store, (write) => this.sign(write));
    this.aside = new AsideWrites({
      commit: async (write) => outcomeOf(await this.commit([write])),
      isLong,
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
    // Writes of runs that have earlier writes aside; and one that is too long for a batch, which comes alone.
    const isApart = (write: PlayedWrite) => aside.has(write) || (writes.length === 1 && isLong(write));
    const apart = new Set(writes.length > 1 && aside.size === 0 ? [] : writes.filter(isApart));
    const together = apart.size === 0 ? writes : writes.filter((write) => !apart.has(write));
    const recorded = await this.writeTogether(together);
    let next = 0;
    return writes.map((write) => (apart.has(write) ? this.writeApart(write) : recorded[next++]!));
  }

  private async writeTogether(writes: readonly PlayedWrite[]): Promise<(Recorded | Promise<Recorded>)[]> {
    const { broken } = this;
    const whole = broken.size === 0 ? writes : writes.filter((write) => !broken.has(keyOf(write)));
    const merged = merge(whole);
    try {
      const refused = new Map<string, Recorded>([...broken].map((key) => [key, 'lost']));
      for (const write of await this.persist(merged)) refused.set(keyOf(write), outcomeOf([write]));
      return writes.map((write) => (refused.size && refused.get(keyOf(write))) || 'written');
    } catch (error) {
      // As they were merged: by its record each says whether it was committed, and an earlier part of it would not.
      if (error instanceof FailedTogether || merged.some(({ again }) => again))
        return this.writeEachApart(writes, merged);
      // The batcher retries several writes in halves.
      if (writes.length > 1 && !this.stopped.signal.aborted) throw error;
      this.breakOff(whole);
      throw asRefusal(whole, error);
    }
  }

  private writeEachApart(writes: readonly PlayedWrite[], merged: readonly PlayedWrite[]): Promise<Recorded>[] {
    const apart = new Map(merged.map((write) => [keyOf(write), this.writeApart(write)]));
    return writes.map((write) => apart.get(keyOf(write)) ?? Promise.resolve('lost'));
  }

  private writeApart(write: RunWrite): Promise<Recorded> {
    if (this.broken.has(keyOf(write))) return Promise.resolve('lost');
    const recorded = this.aside.add(write);
    recorded.catch(() => this.breakOff([write]));
    return recorded;
  }

  /** The writers are notified and write no more; only their queued writes must be stopped. */
  private breakOff(writes: readonly RunWrite[]): void {
    const keys = writes.map(keyOf);
    for (const key of keys) this.broken.add(key);
    // The writers hear of it within this turn of the event loop.
    const told = () => keys.forEach((key) => this.broken.delete(key));
    void this.batcher.idle().then(macrotask).then(told);
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
    const refused = await this.commitOffering(writes);
    this.committed++;
    this.ports.onCommitted?.(writes.length, stopwatch.now() - began);
    this.hearOf(writes, refused);
    return refused;
  }

  /** Of a write that may be committed already, tasks are not offered: they may have been accepted before. */
  private async commitOffering(writes: readonly PlayedWrite[]): Promise<readonly RefusedWrite[]> {
    const { store, dispatcher, clock = systemClock } = this.ports;
    const tasks = writes.flatMap((write) => (write.again ? [] : write.tasks));
    const end = tasks.length > 0 ? dispatcher.offer?.(tasks, clock.now()) : undefined;
    try {
      return await store.commit(writes, this.outgoing);
    } finally {
      end?.();
    }
  }

  private hearOf(writes: readonly PlayedWrite[], refused: readonly RefusedWrite[]): void {
    const lost = new Set(refused.map(keyOf));
    for (const write of writes)
      if (lost.size === 0 || !lost.has(keyOf(write))) write.footing?.stepOnto(write.steps, write.known ?? []);
    // What follows such an outcome would pass the fencing.
    const unheld = refused.filter(({ because }) => because === 'unheld');
    if (unheld.length > 0) this.breakOff(unheld);
    this.tellOfLosses(writes, refused);
  }

  private tellOfLosses(writes: readonly PlayedWrite[], refused: readonly RefusedWrite[]): void {
    const ahead = new Set(refused.filter(isAhead).map(keyOf));
    if (ahead.size === 0) return;
    const isNews = (write: PlayedWrite) => ahead.has(keyOf(write)) && write.footing?.lose() !== false;
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

/**
 * The newest records of a claim that the database has confirmed as committed. A database that loses commits, such as a
 * lagging standby or a restored backup, loses the newest first: so if these records exist, all earlier ones do. Usually
 * it is one record; there are several while commits of one run overlap.
 */
export class Footing {
  private newest: readonly KnownStep[] = [];
  private lastSeq: number;
  private isLost = false;

  constructor(history: readonly StepRecord[] = []) {
    this.lastSeq = history.reduce((last, { seq }) => Math.max(last, seq), -1);
  }

  get known(): readonly KnownStep[] {
    return this.newest;
  }

  /** Adds steps that were committed by one write, which has found the records `found`. */
  stepOnto(steps: readonly StepRecord[], found: readonly KnownStep[]): void {
    const fresh = this.newOf(steps);
    const step = steps.findLast(({ settled }) => settled !== null) ?? fresh;
    if (!step) return;
    const { seq, settled } = step;
    this.newest = [...this.newest.filter((known) => !found.includes(known)), { seq, settled }];
  }

  /** The database no longer has the records. Returns whether that is news: writes under way at that time are all refused. */
  lose(): boolean {
    const isNews = !this.isLost;
    this.isLost = true;
    return isNews;
  }

  /** Only new records count: an older record without an outcome would not prove this commit. */
  private newOf(steps: readonly StepRecord[]): StepRecord | undefined {
    const step = steps.findLast(({ seq }) => seq > this.lastSeq);
    for (const { seq } of steps) this.lastSeq = Math.max(this.lastSeq, seq);
    return step;
  }
}

const sizeOfEvents = (events: readonly CheckedEvent[]): number =>
  events.reduce((size, { data, headers }) => size + (data?.length ?? 0) + (headers?.length ?? 0), 0);

const sizeOfExtras = ({ children = [], logs = [], attempts = [], publishes = [], enqueues = [] }: RunExtras): number =>
  enqueues.reduce((size, { operation }) => size + operation.size, 0) +
  publishes.reduce((size, { events }) => size + sizeOfEvents(events), 0) +
  children.reduce((size, { input }) => size + input.length, 0) +
  logs.reduce((size, { message, fields }) => size + message.length + (fields?.length ?? 0), 0) +
  attempts.reduce((size, { error }) => size + error.length, 0);

/** The length of all texts in a write, in characters. */
const sizeOfWrite = ({ steps, tasks, transition, extras }: RunWrite): number =>
  (extras ? sizeOfExtras(extras) : 0) +
  steps.reduce(
    (size, { output, error, input = '' }) => size + input.length + (output?.length ?? 0) + (error?.length ?? 0),
    0,
  ) +
  tasks.reduce((size, { input }) => size + input.length, 0) +
  (transition?.status === 'completed' ? transition.output.length : 0);

/** It would hold all others for as long as it takes. */
const isLong = (write: RunWrite): boolean => sizeOfWrite(write) > MAX_SIZE;

/** A write with the records that its activation knows to be committed. */
export interface PlayedWrite extends RunWrite {
  footing?: Footing;
}

/** A key for claims of this process. */
export const keyOf = ({ runId, epoch }: Pick<RunClaim, 'runId' | 'epoch'>): string => `${epoch}:${runId}`;

/**
 * Merges to one write per run and epoch; of steps and tasks that occur twice, the last one counts. The task of a step
 * that has an outcome meanwhile, for example by its timeout, is not dispatched.
 */
function merge(writes: readonly PlayedWrite[]): PlayedWrite[] {
  const byRun = new Map<string, PlayedWrite[]>();
  for (const write of writes) {
    const key = keyOf(write);
    const sofar = byRun.get(key);
    if (sofar) sofar.push(write);
    else byRun.set(key, [write]);
  }
  return [...byRun.values()].map(mergeOne);
}

function mergeOne(writes: PlayedWrite[]): PlayedWrite {
  const [first] = writes as [PlayedWrite];
  if (writes.length === 1) return first;
  const steps = new Map<number, StepRecord>(
    writes.flatMap((write) => write.steps.map((step) => [step.seq, step] as const)),
  );
  const transition = writes.findLast((write) => write.transition)?.transition;
  return {
    runId: first.runId,
    epoch: first.epoch,
    at: Math.max(...writes.map(({ at = 0 }) => at)),
    steps: [...steps.values()],
    tasks: mergeTasks(writes).filter(({ seq }) => (steps.get(seq)?.settled ?? null) === null),
    takes: [...new Set(writes.flatMap((write) => write.takes))],
    ...(writes.some(({ ends }) => ends) ? { ends: writes.flatMap(({ ends = [] }) => ends) } : {}),
    withdraws: [...new Set(writes.flatMap((write) => write.withdraws))],
    ...(transition ? { transition } : {}),
    ...(writes.some((write) => write.clearCrashes) ? { clearCrashes: true } : {}),
    ...(writes.some((write) => write.again) ? { again: true } : {}),
    ...(first.footing ? { footing: first.footing } : {}),
    ...(first.notifies !== undefined || transition
      ? { notifies: writes.findLast((write) => write.notifies !== undefined)?.notifies ?? 0 }
      : {}),
    ...mergeExtras(writes),
  };
}

/** A task that is withdrawn later is not dispatched; a task that is requested again after its withdrawal is. */
function mergeTasks(writes: readonly RunWrite[]): StepTask[] {
  const asked = new Map<string, StepTask>();
  for (const { tasks, withdraws } of writes) {
    for (const stepId of withdraws) asked.delete(stepId);
    for (const task of tasks) asked.set(task.stepId, task);
  }
  return [...asked.values()];
}

/** Joins lists in the order of the writes; if a step ends its wait and waits again, the last change counts. */
function mergeExtras(writes: readonly RunWrite[]): { extras?: RunExtras } {
  const all = writes.flatMap(({ extras }) => extras ?? []);
  const [first] = all;
  if (!first || all.length === 1) return first ? { extras: first } : {};
  const joined = <
    K extends 'children' | 'publishes' | 'tells' | 'enqueues' | 'receives' | 'attempts' | 'logs' | 'replacedLogs',
  >(
    key: K,
  ) => all.flatMap((extras) => (extras[key] ?? []) as NonNullable<RunExtras[K]>[number][]);
  const { queues, leaves } = mergeLimiterMoves(all);
  const unwaits = new Set<string>();
  const waits = new Map<string, SignalWait>();
  for (const { unwaits: ended = [], waits: begun = [] } of all) {
    for (const stepId of ended) unwaits.add(stepId);
    for (const [key, { stepId }] of [...waits]) if (ended.includes(stepId)) waits.delete(key);
    for (const wait of begun) waits.set(`${wait.channel}/${wait.stepId}`, wait);
  }
  const customStatus = all.findLast((extras) => extras.customStatus !== undefined)?.customStatus;
  return {
    extras: {
      ...(all.some((extras) => extras.unwinds) && { unwinds: true as const }),
      waits: [...waits.values()],
      unwaits: [...unwaits],
      children: joined('children'),
      publishes: joined('publishes'),
      tells: joined('tells'),
      enqueues: joined('enqueues'),
      receives: joined('receives'),
      queues,
      leaves,
      attempts: joined('attempts'),
      logs: joined('logs'),
      replacedLogs: joined('replacedLogs'),
      attributes: Object.assign({}, ...all.map((extras) => extras.attributes ?? {})) as NonNullable<
        RunExtras['attributes']
      >,
      ...(customStatus !== undefined && { customStatus }),
    },
  };
}

/** A holder leaves its queue before it joins one again; if the last move is to leave, it joins none. */
function mergeLimiterMoves(all: readonly RunExtras[]): Required<Pick<RunExtras, 'queues' | 'leaves'>> {
  const queued = new Map<string, NonNullable<RunExtras['queues']>[number]>();
  const left = new Map<string, NonNullable<RunExtras['leaves']>[number]>();
  for (const { queues = [], leaves = [] } of all) {
    for (const leave of leaves) left.set(leave.holder, leave);
    for (const { holder } of leaves) queued.delete(holder);
    for (const queue of queues) queued.set(queue.task.stepId, queue);
  }
  return { queues: [...queued.values()], leaves: [...left.values()] };
}

/** The text must remain true after the run has been blocked. */
const MESSAGE =
  'The database does not accept what this run records: it is now written separately from other runs; ' +
  'if its writes continue to fail, the run is blocked as write_refused';

/**
 * Checks whether the database accepts another write of a run whose write it refuses: a line in the run's log. A smaller
 * check is not enough: a database that accepts no writes may still permit locks and empty commits. An activation stores
 * its line once, no matter how often it retries the write; a later activation adds its own line.
 */
class WriteProbe {
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
    const loggedAt = write.at ?? systemClock.now();
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
  /** Default: none is. */
  isLong?: (write: RunWrite) => boolean;
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
 * Makes writes that are too long for a batch, and retries those that failed in one, each one alone and in parallel to
 * those of other runs, so that a write which takes long, or which the database never accepts, blocks no other run. The
 * writes of one run keep their order. While no other write succeeds, no write is blamed.
 */
export class AsideWrites<Answer extends string> {
  private readonly queues = new Map<string, { tail: Promise<boolean>; waiting: number }>();
  /** Most writes here only shared a batch with a faulty one, so they do not wait for writes that failed alone. */
  private readonly firstTries = new Semaphore(AT_ONCE, OVERTIME);
  private readonly furtherTries = new Semaphore(AT_ONCE);
  /** One after the other: each keeps a connection busy for long. */
  private readonly longTries = new Semaphore(1);
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
  has(write: RunWrite): boolean {
    return this.queues.has(keyOf(write));
  }

  /** @throws WriteRefusedError when the write itself is the reason; later writes of its run are lost then. */
  add(write: RunWrite): Promise<Answer | 'lost'> {
    const key = keyOf(write);
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
    const tries = ports.isLong?.(write) ? [this.longTries, this.longTries] : [this.firstTries, this.furtherTries];
    const commit = (failures: number) => tries[failures === 0 ? 0 : 1]!.run(() => ports.commit(write));
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

interface OutgoingPorts {
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  /** Undefined if steps cannot publish events. */
  events?: Pick<StepEvents, 'write'>;
  /** Undefined if steps cannot enqueue effect calls. */
  effects?: Pick<StepEffects, 'write'>;
  /** Called after the commit with limiters that may have a free permit or a new waiter. */
  onLimiters?: (limiters: readonly string[]) => void;
}

/** The writes of other ports in the transaction that commits writes of runs; each port registers its notifications. */
export function outgoingTo(ports: OutgoingPorts): Outgoing {
  const carried: Outgoing['carried'] = (writes, dispatched) => {
    const tasks = writes.flatMap((write) => write.tasks);
    if (tasks.length > 0) ports.dispatcher.dispatched?.(tasks, dispatched);
  };
  return Object.assign(written(ports), { carried });
}

const written =
  ({ dispatcher, answers, events, effects, onLimiters }: OutgoingPorts): Outgoing =>
  async (writes, tx, endings) => {
    const tasks = writes.flatMap((write) => write.tasks);
    const takes = writes.flatMap((write) => write.takes);
    const ends = writes.flatMap((write) => write.ends ?? []);
    const withdraws = writes.flatMap((write) => write.withdraws);
    const unheld = ends.length > 0 ? await dispatcher.end?.(ends, tx) : undefined;
    if (unheld?.length) throw new UnheldTasks(unheld);
    const answered = withdraws.length > 0 ? await dispatcher.withdraw(withdraws, tx) : [];
    // Before the dispatch: the answer to a retry must not find the old answer.
    if (takes.length > 0) await dispatcher.take(takes, tx);
    if (tasks.length > 0) await dispatcher.dispatch(tasks, tx);
    if (endings.answers.length > 0) await answers.answer(endings.answers, tx);
    const enqueued = operationsOf(writes);
    if (enqueued.length > 0) await effects?.write(enqueued, tx);
    // Last, since other transactions take these locks last, too.
    const published = eventsOf(writes);
    if (published.length > 0) await events?.write(published, tx);
    const limiters = limitersOf(writes, endings);
    if (limiters.length > 0) tx.afterCommit(() => onLimiters?.(limiters));
    return answered;
  };

const eventsOf = (writes: readonly RunWrite[]): CheckedEvent[] =>
  writes.flatMap(({ extras }) =>
    extras ? [...(extras.publishes ?? []).flatMap(({ events }) => events), ...(extras.tells ?? [])] : [],
  );

const operationsOf = (writes: readonly RunWrite[]): RunOperation[] =>
  writes.flatMap(({ runId, extras }) => (extras?.enqueues ?? []).map(({ operation }) => ({ runId, operation })));

const limitersOf = (writes: readonly RunWrite[], endings: Endings): string[] => {
  const changed = writes.flatMap(({ extras: { queues = [], leaves = [] } = {} }) => [
    ...queues.map(({ limitRequest }) => limitRequest.limiter),
    ...leaves.map(({ limiter }) => limiter),
  ]);
  return [...new Set([...changed, ...endings.limiters])];
};
