import type { AnswerWriter, TaskDispatcher } from '../task-dispatcher.js';
import type { ClosedAlongside } from './run-control.js';

/** What closing a run takes of other ports, all of it in that transaction; `onClosed` is told what has to be announced. */
export const closeAlongside =
  (
    { dispatcher, answers }: { dispatcher: TaskDispatcher; answers: AnswerWriter },
    onClosed: (closed: Parameters<ClosedAlongside>[0]) => void = () => {},
  ): ClosedAlongside =>
  async (closed, tx) => {
    onClosed(closed);
    const answered = closed.withdrawn.length > 0 ? await dispatcher.withdraw(closed.withdrawn, tx) : [];
    if (closed.answers.length > 0) await answers.answer(closed.answers, tx);
    return answered;
  };
