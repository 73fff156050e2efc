import { DatabaseError } from '../../errors.js';
import type { StepAnswer, StepTask } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { backoffMs } from '../../time/backoff.js';
import { Batcher } from '../../time/batcher.js';
import { sleep } from '../../time/sleep.js';
import {
  type Endings,
  NO_ENDINGS,
  type RunExtras,
  type RunStore,
  type SignalWait,
  type RunWrite,
} from '../runs/run-store.js';
import type { StepRecord } from '../runs/step-record.js';
import type { CheckedOperation, StepEffects } from '../step-effects.js';
import type { CheckedEvent, StepEvents } from '../step-events.js';
import type { AnswerWriter, TaskDispatcher } from '../task-dispatcher.js';

/** `lost`: the run is no longer this activation's; nothing was written. */
export type Recorded = 'written' | 'lost';

export interface RecorderPorts {
  store: RunStore;
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  /** Without it no step publishes anything. */
  events?: Pick<StepEvents, 'write' | 'announce'>;
  /** Without it no step has calls made. */
  effects?: Pick<StepEffects, 'write' | 'announce'>;
  onError: (error: unknown) => void;
  /** Told of what has been committed. */
  onCommitted?: (writes: readonly RunWrite[], endings: Endings) => void;
}

const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

/**
 * Writes what all runs of this process have to record, many at a time, in the order they asked. A database that
 * is away is waited for; a write that cannot be done fails alone.
 */
export class Recorder {
  private readonly batcher: Batcher<RunWrite, Recorded>;
  private readonly stopped = new AbortController();
  /** Claims of which a write could not be done: what they wrote after it must not be done either. */
  private readonly broken = new Set<string>();

  constructor(
    private readonly ports: RecorderPorts,
    maxItems = 500,
  ) {
    this.batcher = new Batcher((writes) => this.write(writes), {
      maxItems,
      sizeOf,
      isolates: () => !this.stopped.signal.aborted,
    });
  }

  record(write: RunWrite): Promise<Recorded> {
    return this.batcher.add(write);
  }

  /** The same in a transaction that the caller has open; not retried here. */
  async recordIn(tx: Transaction, write: RunWrite): Promise<Recorded> {
    const lost = await this.ports.store.commit([write], (...committed) => this.writeAlongside(...committed), tx);
    return lost.length === 0 ? 'written' : 'lost';
  }

  /** Waits for what is under way; from then on a database that is away fails writes instead of holding them. */
  async stop(graceMs: number): Promise<void> {
    await Promise.race([this.batcher.idle(), sleep(graceMs, this.stopped.signal)]);
    this.stopped.abort();
    await this.batcher.idle();
  }

  private async write(writes: readonly RunWrite[]): Promise<Recorded[]> {
    const { broken } = this;
    const whole = broken.size === 0 ? writes : writes.filter(({ runId, epoch }) => !broken.has(keyOf(runId, epoch)));
    try {
      const lost = new Set([...broken, ...(await this.persist(merge(whole)))]);
      if (lost.size === 0) return writes.map(() => 'written');
      return writes.map(({ runId, epoch }) => (lost.has(keyOf(runId, epoch)) ? 'lost' : 'written'));
    } catch (error) {
      inDoubt(writes);
      // Several are tried again in parts.
      if (writes.length === 1 || this.stopped.signal.aborted) this.breakOff(whole);
      throw error;
    }
  }

  /** Whoever wrote these hears of it and writes no more; only what is queued already must be held back. */
  private breakOff(writes: readonly RunWrite[]): void {
    for (const { runId, epoch } of writes) this.broken.add(keyOf(runId, epoch));
    void this.batcher.idle().then(() => this.broken.clear());
  }

  private async persist(writes: readonly RunWrite[]): Promise<string[]> {
    if (writes.length === 0) return [];
    for (let failures = 1; ; failures++) {
      try {
        return await this.commit(writes);
      } catch (error) {
        if (!(error instanceof DatabaseError && error.transient) || this.stopped.signal.aborted) throw error;
        inDoubt(writes);
        this.ports.onError(error);
        await sleep(backoffMs(failures, RETRY), this.stopped.signal);
      }
    }
  }

  private async commit(writes: readonly RunWrite[]): Promise<string[]> {
    const { store, dispatcher, answers, onCommitted } = this.ports;
    let ended = NO_ENDINGS;
    const lost = await store.commit(writes, (accepted, tx, endings) => {
      ended = endings;
      return this.writeAlongside(accepted, tx, endings);
    });
    const tasks = writes.flatMap((write) => write.tasks);
    if (tasks.length > 0) dispatcher.announce(tasks);
    const withdrawn = writes.flatMap((write) => write.withdraws);
    if (withdrawn.length > 0) dispatcher.announceWithdrawn?.(withdrawn);
    if (ended.answers.length > 0) answers.announceAnswers(ended.answers);
    this.announceOutgoing(writes);
    onCommitted?.(writes, ended);
    return lost.map(({ runId, epoch }) => keyOf(runId, epoch));
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

/** Their commit may have happened although nobody heard of it. */
function inDoubt(writes: readonly RunWrite[]): void {
  for (const write of writes) write.again = true;
}

const eventsOf = (writes: readonly RunWrite[]): CheckedEvent[] =>
  writes.flatMap(({ extras }) => (extras?.publishes ?? []).flatMap(({ events }) => events));

const operationsOf = (writes: readonly RunWrite[]): CheckedOperation[] =>
  writes.flatMap(({ extras }) => (extras?.enqueues ?? []).map(({ operation }) => operation));

const sizeOfEvents = (events: readonly CheckedEvent[]): number =>
  events.reduce((size, { data, headers }) => size + (data?.length ?? 0) + (headers?.length ?? 0), 0);

const sizeOfExtras = ({ children = [], logs = [], attempts = [], publishes = [], enqueues = [] }: RunExtras): number =>
  enqueues.reduce((size, { operation }) => size + operation.size, 0) +
  publishes.reduce((size, { events }) => size + sizeOfEvents(events), 0) +
  children.reduce((size, { input }) => size + input.length, 0) +
  logs.reduce((size, { message, fields }) => size + message.length + (fields?.length ?? 0), 0) +
  attempts.reduce((size, { error }) => size + error.length, 0);

const sizeOf = ({ steps, tasks, transition, extras }: RunWrite): number =>
  (extras ? sizeOfExtras(extras) : 0) +
  steps.reduce((size, { output, error }) => size + (output?.length ?? 0) + (error?.length ?? 0), 0) +
  tasks.reduce((size, { input }) => size + input.length, 0) +
  (transition?.status === 'completed' ? transition.output.length : 0);

const keyOf = (runId: string, epoch: number): string => `${epoch}:${runId}`;

/**
 * One write per run and epoch; of a position written twice the last word counts, and so it does for tasks. A step that
 * has its outcome meanwhile, as by its timeout, is asked of nobody any more.
 */
function merge(writes: readonly RunWrite[]): RunWrite[] {
  const byRun = new Map<string, RunWrite[]>();
  for (const write of writes) {
    const key = keyOf(write.runId, write.epoch);
    const sofar = byRun.get(key);
    if (sofar) sofar.push(write);
    else byRun.set(key, [write]);
  }
  return [...byRun.values()].map(mergeOne);
}

function mergeOne(writes: RunWrite[]): RunWrite {
  const [first] = writes as [RunWrite];
  if (writes.length === 1) return first;
  const steps = new Map<number, StepRecord>(
    writes.flatMap((write) => write.steps.map((step) => [step.seq, step] as const)),
  );
  const transition = writes.findLast((write) => write.transition)?.transition;
  return {
    runId: first.runId,
    epoch: first.epoch,
    steps: [...steps.values()],
    tasks: mergeTasks(writes).filter(({ seq }) => (steps.get(seq)?.settled ?? null) === null),
    takes: [...new Set(writes.flatMap((write) => write.takes))],
    withdraws: [...new Set(writes.flatMap((write) => write.withdraws))],
    ...(transition ? { transition } : {}),
    ...(writes.some((write) => write.clearCrashes) ? { clearCrashes: true } : {}),
    ...(writes.some((write) => write.again) ? { again: true } : {}),
    ...(first.ties !== undefined || transition
      ? { ties: writes.findLast((write) => write.ties !== undefined)?.ties ?? 0 }
      : {}),
    ...mergeExtras(writes),
  };
}

/** What is asked for and then given up is asked of nobody; what is given up and then asked for again is. */
function mergeTasks(writes: readonly RunWrite[]): StepTask[] {
  const asked = new Map<string, StepTask>();
  for (const { tasks, withdraws } of writes) {
    for (const stepId of withdraws) asked.delete(stepId);
    for (const task of tasks) asked.set(task.stepId, task);
  }
  return [...asked.values()];
}

/** Lists in the order of the writes; of a step that ends its wait and waits again the last word counts. */
function mergeExtras(writes: readonly RunWrite[]): { extras?: RunExtras } {
  const all = writes.flatMap(({ extras }) => extras ?? []);
  const [first] = all;
  if (!first || all.length === 1) return first ? { extras: first } : {};
  const joined = <K extends 'children' | 'publishes' | 'enqueues' | 'receives' | 'attempts' | 'logs'>(key: K) =>
    all.flatMap((extras) => (extras[key] ?? []) as NonNullable<RunExtras[K]>[number][]);
  const { queues, leaves } = mergeLaneMoves(all);
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
      ...{ waits: [...waits.values()], unwaits: [...unwaits] },
      ...{
        children: joined('children'),
        publishes: joined('publishes'),
        enqueues: joined('enqueues'),
        receives: joined('receives'),
      },
      ...{ queues, leaves },
      ...{ attempts: joined('attempts'), logs: joined('logs') },
      attributes: Object.assign({}, ...all.map((extras) => extras.attributes ?? {})) as NonNullable<
        RunExtras['attributes']
      >,
      ...(customStatus !== undefined && { customStatus }),
    },
  };
}

/** Whoever leaves its line does so before it may stand in line again; one that has left last is in none. */
function mergeLaneMoves(all: readonly RunExtras[]): Required<Pick<RunExtras, 'queues' | 'leaves'>> {
  const queued = new Map<string, NonNullable<RunExtras['queues']>[number]>();
  const left = new Map<string, NonNullable<RunExtras['leaves']>[number]>();
  for (const { queues = [], leaves = [] } of all) {
    for (const leave of leaves) left.set(leave.holder, leave);
    for (const { holder } of leaves) queued.delete(holder);
    for (const queue of queues) queued.set(queue.task.stepId, queue);
  }
  return { queues: [...queued.values()], leaves: [...left.values()] };
}
