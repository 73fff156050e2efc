import { UnknownWorkflowError } from '../../errors/code-errors.js';
import type { ReplayOf } from '../model/run-edits.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowRegistry } from '../model/workflow-registry.js';
import { checkReplay, type ReplayCheckParts } from '../play/replay-check.js';

/**
 * Replays edited histories with the code of this process.
 *
 * @throws UnknownWorkflowError when this process does not have the workflow in the run's version.
 */
export function replaysWith(workflows: WorkflowRegistry, parts: ReplayCheckParts): ReplayOf {
  return async (run, history) => {
    const definition = workflows.find(run.workflow, run.version);
    if (!definition) throw new UnknownWorkflowError(`${run.workflow} (version ${run.version})`);
    const asked: StepRecord[] = [];
    const check = await checkReplay(run, history, definition, { ...parts, onNew: (step) => void asked.push(step) });
    return { asked, refusal: check.verdict === 'fits' ? undefined : check.detail };
  };
}
