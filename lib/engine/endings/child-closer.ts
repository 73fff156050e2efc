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
 * Closes the open children of a run that ends, each as was said when it was started: once it resolves, each has ended or
 * is on its way. A database that is away, or refuses, is waited for: the run must not end without its children.
 */
export function childCloser(ports: ChildCloserPorts, patience: Patience): (runId: string) => Promise<void> {
  return (runId) =>
    untilBack(async () => {
      for (const { id, close } of await ports.control.openChildren(runId))
        await ports.control.close(id, close === 'cancel' ? 'cancelled' : 'terminated', givingUp(ports));
    }, patience);
}
