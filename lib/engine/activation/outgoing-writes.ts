import type { Endings, Outgoing, RunWrite } from '../model/run-store.js';
import type { CheckedEvent, RunOperation, StepEffects, StepEvents } from '../model/outgoing.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';

export interface OutgoingPorts {
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
  const carried: Outgoing['carried'] = (writes, dispatchedAt) => {
    const tasks = writes.flatMap((write) => write.tasks);
    if (tasks.length > 0) ports.dispatcher.dispatched?.(tasks, dispatchedAt);
  };
  return Object.assign(written(ports), { carried });
}

const written =
  ({ dispatcher, answers, events, effects, onLimiters }: OutgoingPorts): Outgoing =>
  async (writes, tx, endings) => {
    const tasks = writes.flatMap((write) => write.tasks);
    const takes = writes.flatMap((write) => write.takes);
    const withdraws = writes.flatMap((write) => write.withdraws);
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
