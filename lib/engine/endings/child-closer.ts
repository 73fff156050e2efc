import { type Patience, untilBack } from '../../leasing/until-back.js';
import { givingUp } from './giving-up.js';
import type { RunControl } from '../model/run-control.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';

export interface ChildCloserPorts {
  control: RunControl;
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
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
