import type { EngineStorage } from '../engine/model/engine-storage.js';
import type { ClaimedRun } from '../engine/model/run.js';
import type { StepRecord } from '../engine/model/step-record.js';
import { WorkflowNotFoundError } from '../errors.js';

/** All data that a replay needs of a run, as plain JSON: it may be stored in a file next to the tests. */
export interface RecordedHistory {
  run: Pick<
    ClaimedRun,
    'id' | 'workflow' | 'version' | 'input' | 'since' | 'closing' | 'error' | 'unwinds' | 'firstSeq'
  >;
  steps: readonly StepRecord[];
}

/** @throws WorkflowNotFoundError when there is no such run, or it was deleted after its end */
export async function recordedHistory(
  { catalog, unfinished }: Pick<EngineStorage, 'catalog' | 'unfinished'>,
  namespace: string,
  id: string,
): Promise<RecordedHistory> {
  const [found] = await catalog.find([id]);
  if (!found) throw new WorkflowNotFoundError(id);
  const { workflow, version, input, createdAt: since, closing, error } = found;
  const steps = await catalog.steps(id);
  const seqs = steps.map(({ seq }) => seq).filter((seq) => seq >= 0);
  const ended = { unwinds: false, firstSeq: seqs.length === 0 ? 0 : Math.min(...seqs) };
  const { runs } = await unfinished.page({ namespace, afterId: id.slice(0, -1), scan: 1_000 });
  const { unwinds, firstSeq } = runs.find((run) => run.id === id) ?? ended;
  return { run: { id, workflow, version, input, since, closing, error, unwinds, firstSeq }, steps };
}

/** The run as a process that claims it would see it. */
export const claimedOf = ({ run }: RecordedHistory): ClaimedRun => ({
  ...run,
  epoch: 1,
  crashes: 0,
  deadline: null,
  notifies: 0,
  precondition: null,
});
