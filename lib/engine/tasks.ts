import type { Dispatched, EndedTask, StepAnswer, StepTask } from '../core/protocol.js';
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

/** The outcome of a task that a worker of this process hands to the engine, in place of an answer as a row. */
export interface HandedBack extends StepAnswer, Omit<EndedTask, keyof StepAnswer> {
  /** Called once if it was accepted. False: it is not recorded, so it must be answered as a row. */
  onRecorded: (isRecorded: boolean) => void;
}

/** Accepts an outcome, or leaves it to whoever reads the answers. */
export type AcceptOutcome = (outcome: HandedBack) => boolean;

/** A process that has died, and the groups from which its workers claimed tasks. */
export interface DeadWorker {
  readonly id: string;
  readonly groups: readonly string[];
  /** When its lease has ended, epoch ms of the storage's clock: whoever renews a task later is alive. */
  readonly expiresAt: number;
}

/** The engine's side of a transport. */
export interface TaskDispatcher {
  /**
   * Offers tasks to workers before they are dispatched. One that is accepted is written as claimed, so that nobody else
   * claims it, and its worker begins it once the commit has succeeded. The returned function ends
   * the offers, to be called once it is known whether they were committed, or that this will remain unknown. `at`: the
   * time of the storage, epoch ms, as this process knows it. A transport may omit this method, or offer nothing.
   */
  offer?(tasks: readonly StepTask[], at: number): (() => void) | undefined;
  /**
   * Writes all tasks in one statement, in `tx` if given. An existing task stays unchanged, unless the new one has a
   * higher attempt: then it is replaced and may be claimed again. Workers are notified with the commit.
   */
  dispatch(tasks: readonly StepTask[], tx?: Transaction): Promise<void>;
  /** Notifies workers of this process of tasks that the storage has written in a commit of its own. */
  dispatched?(tasks: readonly StepTask[], how?: Dispatched): void;
  /** Reads the answers after `cursor`, oldest first, and does not take them. Without a cursor: from the first. */
  peek(limit: number, cursor?: AnswerCursor): Promise<{ answers: StepAnswer[]; cursor: AnswerCursor }>;
  /** Deletes answers in the transaction that records them. */
  take(stepIds: readonly string[], tx?: Transaction): Promise<void>;
  /**
   * Calls `accept` with outcomes of workers of this process, before they are written as answers. What is accepted must
   * be passed to `end` with the commit that records it. Returns a function that unsubscribes. A transport may omit this
   * method.
   */
  onHandedBack?(accept: AcceptOutcome): () => void;
  /**
   * Deletes tasks in the transaction that records their outcomes. Resolves to the step ids whose claim no longer holds, or
   * may end in another transaction: if there are any, nothing was deleted, and the transaction must be rolled back.
   */
  end?(tasks: readonly EndedTask[], tx: Transaction): Promise<readonly string[]>;
  /**
   * Deletes tasks that are no longer needed, and answers to them; workers that have claimed them lose their leases.
   * Resolves to the deleted answers. If a worker reports at the same time, its answer is either among them or not
   * written. Workers may be notified with the commit; else they notice it when they renew their leases.
   */
  withdraw(stepIds: readonly string[], tx?: Transaction): Promise<StepAnswer[]>;
  /**
   * Ends the leases of tasks that workers of processes which have died had claimed, so that others claim them at once.
   * Looks among the tasks of their groups that are claimed first. False: some are being ended in other transactions, so
   * it has to be called again. A transport may omit this method.
   */
  free?(dead: readonly DeadWorker[]): Promise<boolean>;
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

/** The dispatcher with all methods, for a wrapper that replaces some of them. */
export const wholeDispatcher = (dispatcher: TaskDispatcher): Required<TaskDispatcher> => ({
  dispatch: (...args) => dispatcher.dispatch(...args),
  offer: (...args) => dispatcher.offer?.(...args),
  dispatched: (...args) => dispatcher.dispatched?.(...args),
  peek: (...args) => dispatcher.peek(...args),
  take: (...args) => dispatcher.take(...args),
  onHandedBack: (accept) => dispatcher.onHandedBack?.(accept) ?? (() => {}),
  end: async (...args) => (await dispatcher.end?.(...args)) ?? [],
  free: async (dead) => (await dispatcher.free?.(dead)) ?? true,
  withdraw: (...args) => dispatcher.withdraw(...args),
  lost: (...args) => dispatcher.lost(...args),
  holders: (...args) => dispatcher.holders(...args),
  onAnswers: (listener) => dispatcher.onAnswers(listener),
});

/** The dispatcher, which tells how many tasks came into each group, once they are committed. */
export const withToldDispatches = (dispatcher: TaskDispatcher, telemetry: Telemetry): Required<TaskDispatcher> => ({
  ...wholeDispatcher(dispatcher),
  dispatch: async (tasks, tx) => {
    await dispatcher.dispatch(tasks, tx);
    if (telemetry.hears('tasks.dispatched')) afterCommit(tx, () => tell(telemetry, tasks));
  },
  dispatched: (tasks, how) => {
    dispatcher.dispatched?.(tasks, how);
    if (telemetry.hears('tasks.dispatched')) tell(telemetry, tasks);
  },
});

/** A worker's answer to the offer of a task: it keeps a slot for it, or has given a credit. */
export interface Acceptance {
  /** The mark of its claim. */
  readonly claimedBy: string;
  /** The room that the task takes in the notification of its commit, if its worker hears of it so. Default: none. */
  readonly sentBytes?: number;
  /** The task is stored as claimed, at `claimedAt`. Undefined: nobody knows, so the worker looks first. */
  begin(claimedAt?: number): void;
  /** Gives the slot back, unless the task has begun. */
  end(): void;
}

/** Accepts a task, or leaves it to whoever claims it. */
export type AcceptTask = (task: StepTask, at: number) => Acceptance | undefined;

/** Where the engine and the workers of one process meet: a transport holds one for both of its sides. */
export class HandOver {
  private readonly workers = new Set<AcceptTask>();
  private readonly engines = new Set<AcceptOutcome>();
  private readonly accepted = new WeakMap<StepTask, Acceptance>();
  private readonly open = new WeakSet<Acceptance>();

  /** Returns a function that removes the worker. */
  serve(accept: AcceptTask): () => void {
    this.workers.add(accept);
    return () => void this.workers.delete(accept);
  }

  /** Returns a function that removes the engine. */
  receive(accept: AcceptOutcome): () => void {
    this.engines.add(accept);
    return () => void this.engines.delete(accept);
  }

  /** Whether an engine of this process records the outcome. */
  handBack(outcome: HandedBack): boolean {
    for (const accept of this.engines) if (accept(outcome)) return true;
    return false;
  }

  /** As in {@link TaskDispatcher.offer}. `elsewhere` is asked for what no worker of this process accepts. */
  offer(tasks: readonly StepTask[], at: number, elsewhere?: AcceptTask): () => void {
    const made: Acceptance[] = [];
    for (const task of tasks) {
      const acceptance = this.acceptanceOf(task, at) ?? elsewhere?.(task, at);
      if (!acceptance) continue;
      this.accepted.set(task, acceptance);
      this.open.add(acceptance);
      made.push(acceptance);
    }
    return () => {
      for (const acceptance of made) {
        this.open.delete(acceptance);
        acceptance.end();
      }
    };
  }

  /**
   * The marks of those of these tasks that must be written as claimed. Anybody may claim the others.
   *
   * @param room - for the tasks that are sent along with the notification of the commit, in bytes
   */
  marksOf(tasks: readonly StepTask[], room = 0): ReadonlyMap<StepTask, string> {
    const marks = new Map<StepTask, string>();
    let left = room;
    for (const task of tasks) {
      const acceptance = this.accepted.get(task);
      const { sentBytes = 0 } = acceptance ?? {};
      if (acceptance && this.open.has(acceptance) && sentBytes <= left) {
        marks.set(task, acceptance.claimedBy);
        left -= sentBytes;
      }
      // An earlier try to commit it has failed, or there is no room for it.
      else if (acceptance) this.accepted.delete(task);
    }
    return marks;
  }

  /**
   * Of tasks that are committed now: begins those that were accepted, each once, and returns the others. Without
   * `claimed`, or if it is another number of tasks, each worker looks whether its task is there.
   */
  begin(tasks: readonly StepTask[], claimed?: Dispatched['claimed']): StepTask[] {
    const others: StepTask[] = [];
    const begun: Acceptance[] = [];
    for (const task of tasks) {
      const acceptance = this.accepted.get(task);
      if (!acceptance) {
        others.push(task);
        continue;
      }
      this.accepted.delete(task);
      begun.push(acceptance);
    }
    const at = claimed?.count === begun.length ? claimed.at : undefined;
    for (const acceptance of begun) acceptance.begin(at);
    return others;
  }

  private acceptanceOf(task: StepTask, at: number): Acceptance | undefined {
    for (const accept of this.workers) {
      const acceptance = accept(task, at);
      if (acceptance) return acceptance;
    }
    return undefined;
  }
}

function tell(telemetry: Telemetry, tasks: readonly StepTask[]): void {
  const counts = new Map<string, number>();
  for (const { group } of tasks) counts.set(group, (counts.get(group) ?? 0) + 1);
  for (const [group, count] of counts) telemetry.emit('tasks.dispatched', { group, count });
}
