import type { EngineStorage } from '../model/engine-storage.js';
import { type ClaimedRun, isFinal } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import { WorkflowErasedError } from '../../errors/repair-errors.js';
import { WorkflowNotFoundError } from '../../errors/run-errors.js';

/** All data that a replay needs of a run, as plain JSON: it may be stored in a file next to the tests. */
export interface RecordedHistory {
  run: Pick<
    ClaimedRun,
    'id' | 'workflow' | 'version' | 'input' | 'since' | 'closing' | 'error' | 'unwinds' | 'firstSeq' | 'context'
  >;
  steps: readonly StepRecord[];
}

/** @throws WorkflowNotFoundError when there is no such run, or it was deleted after its end; WorkflowErasedError */
export async function recordedHistory(
  { catalog, steps: reads }: Pick<EngineStorage, 'catalog' | 'steps'>,
  id: string,
): Promise<RecordedHistory> {
  const [found] = await catalog.find([id]);
  const claimed = await reads.claimed(id);
  if (!found || !claimed) throw new WorkflowNotFoundError(id);
  if (found.erasedAt !== null) throw new WorkflowErasedError(id);
  const { workflow, version, input, since, closing, error, unwinds, firstSeq, context } = claimed;
  // A run that has ended is replayed from its start, whichever way it ended.
  const ending = isFinal(found.status) ? { closing: null, unwinds: false } : { closing, unwinds };
  const run = { id, workflow, version, input, since, error, firstSeq, ...ending };
  return { run: { ...run, ...(context !== undefined && { context }) }, steps: await catalog.steps(id) };
}

/** The run as a process that claims it would see it. */
export const claimedOf = ({ run }: RecordedHistory): ClaimedRun => ({
  ...run,
  epoch: 1,
  crashes: 0,
  deadline: null,
  notifies: 0,
  precondition: null,
  resume: null,
  forkedSeq: null,
});

/** The inputs of recorded steps as today's code asks for them, and where the code parts from the history. */
export interface RecomputedByReplay {
  /** By position. */
  inputs: ReadonlyMap<number, unknown>;
  /** Undefined if the code fits the history; null if it threw an error of its own. */
  position?: number | null;
  recorded?: string | null;
  asked?: string | null;
  detail?: string | null;
}

/** Undefined if this process does not have the run's code. Nothing is written, and no step runs. */
export type RecomputeInputs = (history: RecordedHistory) => Promise<RecomputedByReplay | undefined>;
