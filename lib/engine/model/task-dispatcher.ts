import type { StepAnswer, StepTask } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

/** Where a reading of answers left off. Opaque; hand it back as it came. */
export type AnswerCursor = object;

/** What the engine needs from a transport. */
export interface TaskDispatcher {
  /**
   * Writes all tasks in one statement, in `tx` when given one. A task that is already there stays as it is,
   * unless the new one has a higher attempt: then it is replaced and may be claimed again. Workers hear of it with the
   * commit.
   */
  dispatch(tasks: readonly StepTask[], tx?: Transaction): Promise<void>;
  /** Reads, without taking them, the answers that came after `cursor`, oldest first. Without a cursor: from the first. */
  peek(limit: number, cursor?: AnswerCursor): Promise<{ answers: StepAnswer[]; cursor: AnswerCursor }>;
  /** Deletes answers in the transaction that records them. */
  take(stepIds: readonly string[], tx?: Transaction): Promise<void>;
  /**
   * Deletes tasks, and answers to them, that nobody wants any more; whoever works on one finds its lease gone. Resolves
   * to those answers: what was done already. A worker that reports at this moment is either among them or has written
   * nothing. Workers may hear of it with the commit, so that they need not find out when they renew their leases.
   */
  withdraw(stepIds: readonly string[], tx?: Transaction): Promise<StepAnswer[]>;
  /** Which of these have neither a task nor an answer, so that nobody would ever answer them. */
  lost(stepIds: readonly string[]): Promise<string[]>;
  /**
   * Calls `listener` when answers may have come: with the answers themselves where the transport could send
   * them along (each is also a row, to be taken like any other), else without. Returns a function that ends it.
   */
  onAnswers(listener: (answers?: readonly StepAnswer[]) => void): () => void;
}

/** Answers that do not come from workers: from children that ended, from signals, from outside. */
export interface AnswerWriter {
  /**
   * Writes those whose step has no answer yet, and removes their tasks: a worker that has one loses its lease. Answers
   * the step ids that were written. Engines hear of it with the commit: those of this process, and others where there are
   * notifications.
   */
  answer(answers: readonly StepAnswer[], tx?: Transaction): Promise<string[]>;
}
