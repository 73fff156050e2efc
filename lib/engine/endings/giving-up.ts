import { notesOf } from '../model/left-signals.js';
import type { GivingUp } from '../model/run-control.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';

/** The work of other ports when a run is closed, in the same transaction. */
export const givingUp =
  ({ dispatcher, answers }: { dispatcher: TaskDispatcher; answers: AnswerWriter }): GivingUp =>
  async (closed, tx) => {
    const answered = closed.withdrawn.length > 0 ? await dispatcher.withdraw(closed.withdrawn, tx) : [];
    // Signals in existing answers are left to other waits.
    const told = [...closed.answers, ...notesOf(answered)];
    if (told.length > 0) await answers.answer(told, tx);
    return answered;
  };
