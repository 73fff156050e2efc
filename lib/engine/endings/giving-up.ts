import { notesOf } from '../model/left-signals.js';
import type { GivingUp } from '../model/run-control.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';

/** What closing a run takes of other ports, all of it in that transaction. */
export const givingUp =
  ({ dispatcher, answers }: { dispatcher: TaskDispatcher; answers: AnswerWriter }): GivingUp =>
  async (closed, tx) => {
    const answered = closed.withdrawn.length > 0 ? await dispatcher.withdraw(closed.withdrawn, tx) : [];
    // Of signals among what was there already, others hear.
    const told = [...closed.answers, ...notesOf(answered)];
    if (told.length > 0) await answers.answer(told, tx);
    return answered;
  };
