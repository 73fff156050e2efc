import type { Endings, Outgoing, RunWrite } from '../model/run-store.js';
import type { CheckedEvent, CheckedOperation, StepEffects, StepEvents } from '../model/outgoing.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';

export interface OutgoingPorts {
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  /** Without it no step publishes anything. */
  events?: Pick<StepEvents, 'write'>;
  /** Without it no step has calls made. */
  effects?: Pick<StepEffects, 'write'>;
  /** Told after the commit of limiters in which a permit may be free, or somebody new waits. */
  onLimiters?: (limiters: readonly string[]) => void;
}

/** What writes of runs bring to others, in the transaction that commits them: each port says there whom it wakes. */
export const outgoingTo =
  ({ dispatcher, answers, events, effects, onLimiters }: OutgoingPorts): Outgoing =>
  async (writes, tx, endings) => {
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
    const limiters = limitersOf(writes, endings);
    if (limiters.length > 0) tx.afterCommit(() => onLimiters?.(limiters));
    return answered;
  };

const eventsOf = (writes: readonly RunWrite[]): CheckedEvent[] =>
  writes.flatMap(({ extras }) => (extras?.publishes ?? []).flatMap(({ events }) => events));

const operationsOf = (writes: readonly RunWrite[]): CheckedOperation[] =>
  writes.flatMap(({ extras }) => (extras?.enqueues ?? []).map(({ operation }) => operation));

const limitersOf = (writes: readonly RunWrite[], endings: Endings): string[] => {
  const changed = writes.flatMap(({ extras: { queues = [], leaves = [] } = {} }) => [
    ...queues.map(({ limitRequest }) => limitRequest.limiter),
    ...leaves.map(({ limiter }) => limiter),
  ]);
  return [...new Set([...changed, ...endings.limiters])];
};
