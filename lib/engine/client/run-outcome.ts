import { errorOf } from '../insight/run-views.js';
import type { Payloads } from '../model/payloads.js';
import type { NewRun, RunRecord } from '../model/run.js';
import { UnreadablePayloadError } from '../../errors/payload-errors.js';
import { WorkflowErasedError } from '../../errors/repair-errors.js';
import { WorkflowIdConflictError } from '../../errors/run-errors.js';

/** Whether a start may answer an existing run. Nobody can tell what an erased one was given. @throws WorkflowIdConflictError */
export function checkSame(asked: NewRun, run: RunRecord, payloads: Payloads): void {
  if (run.namespace !== asked.namespace) throw new WorkflowIdConflictError(run.id, 'namespace');
  if (run.workflow !== asked.workflow) throw new WorkflowIdConflictError(run.id, `workflow ("${run.workflow}")`);
  if (run.erasedAt !== null) return;
  const what = `The input of run "${run.id}"`;
  if (!readable(what, () => payloads.ofRun(run).isSame(run.input, asked.input)))
    throw new WorkflowIdConflictError(run.id, 'input');
}

/** The output of a run that has ended. @throws WorkflowErasedError, UnreadablePayloadError, and the errors of `errorOf` */
export function outputOf(run: RunRecord, all: Payloads): unknown {
  refuseErased(run);
  const payloads = all.ofRun(run);
  if (run.status !== 'completed') throw errorOf(run, payloads);
  return payloads.read(run.output, `The output of run "${run.id}"`);
}

/** If only a step of it was erased, the run still has its outcome. */
function refuseErased({ id, status, output, error, erasedAt }: RunRecord): void {
  if (erasedAt !== null && status !== 'cancelled' && output === null && error === null)
    throw new WorkflowErasedError(id);
}

/** @throws UnreadablePayloadError */
function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UnreadablePayloadError(what, { cause });
  }
}
