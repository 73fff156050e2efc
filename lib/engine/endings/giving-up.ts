import { notesOf } from '../model/left-signals.js';
import type { RunHooks } from '../model/run-hooks.js';
import type { GivingUp, RunControl } from '../model/run-control.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';
import { type Patience, untilBack } from '../../leasing/until-back.js';

export interface GivingUpPorts {
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  hooks?: Pick<RunHooks, 'tell'> | undefined;
}

/** The work of other ports when a run is closed, in the same transaction. */
export const givingUp =
  ({ dispatcher, answers, hooks }: GivingUpPorts): GivingUp =>
  async (closed, tx) => {
    const answered = closed.withdrawn.length > 0 ? await dispatcher.withdraw(closed.withdrawn, tx) : [];
    // Signals in existing answers are left to other waits.
    const told = [...closed.answers, ...notesOf(answered)];
    if (told.length > 0) await answers.answer(told, tx);
    if (closed.ended) await hooks?.tell(closed.ended, tx);
    return answered;
  };

export interface ChildCloserPorts extends GivingUpPorts {
  control: RunControl;
}

/**
 * Closes the open children of an ending run, according to their `parentClose`: when it resolves, each has ended or is
 * closing. It retries while the database fails: the run must not end without its children.
 */
export function childCloser(ports: ChildCloserPorts, patience: Patience): (runId: string) => Promise<void> {
  return (runId) =>
    untilBack(async () => {
      for (const { id, close } of await ports.control.openChildren(runId))
        await ports.control.close(id, close === 'cancel' ? 'cancelled' : 'terminated', givingUp(ports));
    }, patience);
}
