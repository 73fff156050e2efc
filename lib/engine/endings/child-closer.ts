import { DatabaseError } from '../../errors.js';
import { backoffMs } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';
import { closeAlongside } from './close-alongside.js';
import type { ClosedAlongside, RunControl } from '../model/run-control.js';
import { NO_ENDINGS } from '../model/run-store.js';
import type { AnswerWriter, TaskDispatcher } from '../model/task-dispatcher.js';

export interface ChildCloserPorts {
  control: RunControl;
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  /** Told of every failure that is waited out. */
  onError: (error: unknown) => void;
  /** Once it aborts, a database that is away is waited for no longer. */
  stopped: AbortSignal;
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

/**
 * Closes the open children of a run that ends, each as was said when it was started: once it resolves, each has ended or
 * is on its way. A database that is away, or refuses, is waited for: the run must not end without its children.
 */
export function childCloser(ports: ChildCloserPorts): (runId: string) => Promise<void> {
  return async (runId) => {
    for (let failures = 1; ; failures++) {
      try {
        for (const { id, close } of await ports.control.openChildren(runId)) await closeOne(ports, id, close);
        return;
      } catch (error) {
        if (!(error instanceof DatabaseError) || ports.stopped.aborted) throw error;
        ports.onError(error);
        await sleep(backoffMs(failures, RETRY), ports.stopped);
      }
    }
  };
}

async function closeOne(ports: ChildCloserPorts, id: string, close: 'cancel' | 'terminate'): Promise<void> {
  const { control, dispatcher, answers } = ports;
  let told: Parameters<ClosedAlongside>[0] = { ...NO_ENDINGS, withdrawn: [] };
  const alongside = closeAlongside(ports, (closed) => (told = closed));
  await control.close(id, close === 'cancel' ? 'cancelled' : 'terminated', alongside);
  if (told.withdrawn.length > 0) dispatcher.announceWithdrawn?.(told.withdrawn);
  if (told.answers.length > 0) answers.announceAnswers(told.answers);
}
