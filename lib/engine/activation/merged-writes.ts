import type { StepTask } from '../../protocol/step.js';
import type { RunExtras, RunWrite, SignalWait } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { Footing } from './footing.js';

/** A write with what its activation knows to be committed. */
export interface PlayedWrite extends RunWrite {
  footing?: Footing;
}

export const keyOf = (runId: string, epoch: number): string => `${epoch}:${runId}`;

/**
 * One write per run and epoch; of a position written twice the last word counts, and so it does for tasks. A step that
 * has its outcome meanwhile, as by its timeout, is asked of nobody any more.
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
  const joined = <K extends 'children' | 'publishes' | 'enqueues' | 'receives' | 'attempts' | 'logs' | 'replacedLogs'>(
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
      ...{ waits: [...waits.values()], unwaits: [...unwaits] },
      ...{
        children: joined('children'),
        publishes: joined('publishes'),
        enqueues: joined('enqueues'),
        receives: joined('receives'),
      },
      ...{ queues, leaves },
      ...{ attempts: joined('attempts'), logs: joined('logs'), replacedLogs: joined('replacedLogs') },
      attributes: Object.assign({}, ...all.map((extras) => extras.attributes ?? {})) as NonNullable<
        RunExtras['attributes']
      >,
      ...(customStatus !== undefined && { customStatus }),
    },
  };
}

/** Whoever leaves its line does so before it may stand in line again; one that has left last is in none. */
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
