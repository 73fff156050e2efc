import type { StepAnswer, StepTask } from '../core/protocol.js';
import type { Telemetry } from '../core/telemetry.js';
import { afterCommit, type Transaction } from '../core/transaction.js';

/** The position up to which answers were read. Opaque; pass it back unchanged. */
export type AnswerCursor = object;

/** A task, and the worker that has claimed it. */
export interface TaskHolder {
  stepId: string;
  /** Higher than the dispatched one if it was claimed again after the leases of others had expired. */
  attempt: number;
  /** Null if no worker has claimed it. */
  worker: string | null;
}

/** The engine's side of a transport. */
export interface TaskDispatcher {
  /**
   * Writes all tasks in one statement, in `tx` if given. An existing task stays unchanged, unless the new one has a
   * higher attempt: then it is replaced and may be claimed again. Workers are notified with the commit.
   */
  dispatch(tasks: readonly StepTask[], tx?: Transaction): Promise<void>;
  /**
   * Notifies workers of this process of tasks that the storage has written in a commit of its own. `since`: they were
   * dispatched at that time, epoch ms, or later.
   */
  dispatched?(tasks: readonly StepTask[], since?: number): void;
  /** Reads the answers after `cursor`, oldest first, and does not take them. Without a cursor: from the first. */
  peek(limit: number, cursor?: AnswerCursor): Promise<{ answers: StepAnswer[]; cursor: AnswerCursor }>;
  /** Deletes answers in the transaction that records them. */
  take(stepIds: readonly string[], tx?: Transaction): Promise<void>;
  /**
   * Deletes tasks that are no longer needed, and answers to them; workers that have claimed them lose their leases.
   * Resolves to the deleted answers. If a worker reports at the same time, its answer is either among them or not
   * written. Workers may be notified with the commit; else they notice it when they renew their leases.
   */
  withdraw(stepIds: readonly string[], tx?: Transaction): Promise<StepAnswer[]>;
  /** Returns which of these steps have neither a task nor an answer, so that they would never be answered. */
  lost(stepIds: readonly string[]): Promise<string[]>;
  /** The holders of the tasks of these steps; locks nothing. */
  holders(stepIds: readonly string[]): Promise<TaskHolder[]>;
  /**
   * Calls `listener` when answers may have arrived: with the answers if the transport could send them along (each is
   * also a row, to be taken like any other), else without. Returns a function that unsubscribes.
   */
  onAnswers(listener: (answers?: readonly StepAnswer[]) => void): () => void;
}

/** Writes answers that do not come from workers: from ended children, from signals, from the client. */
export interface AnswerWriter {
  /**
   * Writes the answers whose step has no answer yet, and deletes their tasks: a worker that has claimed one loses its
   * lease. Returns the step ids that were written. With the commit, the engines of this process are notified, and
   * others if the storage has notifications.
   */
  answer(answers: readonly StepAnswer[], tx?: Transaction): Promise<string[]>;
}

/** The dispatcher, which tells how many tasks came into each group, once they are committed. */
export const withToldDispatches = (dispatcher: TaskDispatcher, telemetry: Telemetry): Required<TaskDispatcher> => ({
  dispatch: async (tasks, tx) => {
    await dispatcher.dispatch(tasks, tx);
    if (telemetry.hears('tasks.dispatched')) afterCommit(tx, () => tell(telemetry, tasks));
  },
  dispatched: (tasks, since) => {
    dispatcher.dispatched?.(tasks, since);
    if (telemetry.hears('tasks.dispatched')) tell(telemetry, tasks);
  },
  peek: (...args) => dispatcher.peek(...args),
  take: (...args) => dispatcher.take(...args),
  withdraw: (...args) => dispatcher.withdraw(...args),
  lost: (...args) => dispatcher.lost(...args),
  holders: (...args) => dispatcher.holders(...args),
  onAnswers: (listener) => dispatcher.onAnswers(listener),
});

function tell(telemetry: Telemetry, tasks: readonly StepTask[]): void {
  const counts = new Map<string, number>();
  for (const { group } of tasks) counts.set(group, (counts.get(group) ?? 0) + 1);
  for (const [group, count] of counts) telemetry.emit('tasks.dispatched', { group, count });
}
