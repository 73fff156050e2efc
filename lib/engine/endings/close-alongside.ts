import { notesOf } from '../model/left-signals.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';
import type { ClosedAlongside } from '../model/run-control.js';

/** What closing a run takes of other ports, all of it in that transaction; `onClosed` is told what has to be announced. */
export const closeAlongside =
  (
    { dispatcher, answers }: { dispatcher: TaskDispatcher; answers: AnswerWriter },
    onClosed: (closed: Parameters<ClosedAlongside>[0]) => void = () => {},
  ): ClosedAlongside =>
  async (closed, tx) => {
    onClosed(closed);
    const answered = closed.withdrawn.length > 0 ? await dispatcher.withdraw(closed.withdrawn, tx) : [];
    // Of signals among what was there already, others hear.
    const told = [...closed.answers, ...notesOf(answered)];
    if (told.length > 0) await answers.answer(told, tx);
    return answered;
  };
