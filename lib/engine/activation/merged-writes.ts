import type { CheckedEvent } from '../model/outgoing.js';
import type { KnownStep, RunExtras, RunWrite, SignalWait } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { StepTask } from '../../protocol/step.js';

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

/**
 * The position at which a history stores how many lines its code has logged. No position of code or of a compensation
 * can reach it.
 */
export const LINE_COUNT_SEQ = -(2 ** 31);

/** Whether it is a position of the run itself, not the internal line count. */
export const isPosition = ({ seq }: Pick<StepRecord, 'seq'>): boolean => seq !== LINE_COUNT_SEQ;

const sizeOfEvents = (events: readonly CheckedEvent[]): number =>
  events.reduce((size, { data, headers }) => size + (data?.length ?? 0) + (headers?.length ?? 0), 0);

const sizeOfExtras = ({ children = [], logs = [], attempts = [], publishes = [], enqueues = [] }: RunExtras): number =>
  enqueues.reduce((size, { operation }) => size + operation.size, 0) +
  publishes.reduce((size, { events }) => size + sizeOfEvents(events), 0) +
  children.reduce((size, { input }) => size + input.length, 0) +
  logs.reduce((size, { message, fields }) => size + message.length + (fields?.length ?? 0), 0) +
  attempts.reduce((size, { error }) => size + error.length, 0);

/** The length of all texts in a write, in characters. */
export const sizeOfWrite = ({ steps, tasks, transition, extras }: RunWrite): number =>
  (extras ? sizeOfExtras(extras) : 0) +
  steps.reduce(
    (size, { output, error, input = '' }) => size + input.length + (output?.length ?? 0) + (error?.length ?? 0),
    0,
  ) +
  tasks.reduce((size, { input }) => size + input.length, 0) +
  (transition?.status === 'completed' ? transition.output.length : 0);

/** A write with the records that its activation knows to be committed. */
export interface PlayedWrite extends RunWrite {
  footing?: Footing;
}

export const keyOf = (runId: string, epoch: number): string => `${epoch}:${runId}`;

/**
 * Merges to one write per run and epoch; of steps and tasks that occur twice, the last one counts. The task of a step
 * that has an outcome meanwhile, for example by its timeout, is not dispatched.
 */
export function merge(writes: readonly PlayedWrite[]): PlayedWrite[] {
  const byRun = new Map<string, PlayedWrite[]>();
  for (const write of writes) {
    const key = keyOf(write.runId, write.epoch);
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
    steps: [...steps.values()],
    tasks: mergeTasks(writes).filter(({ seq }) => (steps.get(seq)?.settled ?? null) === null),
    takes: [...new Set(writes.flatMap((write) => write.takes))],
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
