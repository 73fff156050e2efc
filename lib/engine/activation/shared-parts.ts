import { type Patience, untilBack } from '../../leasing/until-back.js';
import { stepIdOf } from '../../protocol/step.js';
import type { RunInsight } from '../model/run-insight.js';
import type { RunStore } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { TaskDispatcher, TaskHolder } from '../model/task-dispatcher.js';
import type { WorkflowTraits } from '../model/workflow-registry.js';
import type { ActivationShared, RunAtEpoch } from './activation-shared.js';

/**
 * Reads the settled record at a position, and retries while the database fails: only the record shows the outcome of
 * the step. A commit whose reply was lost may still be running on the server, and holds the run's lock until it ends.
 * So this function first waits for that lock; the record that it reads then is final.
 */
export function readBackFrom(store: Pick<RunStore, 'commit' | 'histories'>, patience: Patience) {
  return (claim: RunAtEpoch, seq: number): Promise<StepRecord | undefined> =>
    untilBack(async () => {
      await store.commit([{ ...claim, steps: [], tasks: [], takes: [], withdraws: [] }], async () => {});
      const history = await store.histories([claim.runId], { latest: true });
      return history.find((step) => step.seq === seq && step.settled !== null);
    }, patience);
}

/**
 * Reads who holds the task of a step, and retries while the database fails. An answer that has just come has deleted the
 * task: then the attempts that were recorded as lost show the number of the one that it is about.
 */
export function holderFrom(
  { dispatcher, insight }: { dispatcher: Pick<TaskDispatcher, 'holders'>; insight: Pick<RunInsight, 'attempts'> },
  patience: Patience,
) {
  return ({ runId, seq }: Pick<StepRecord, 'runId' | 'seq'>): Promise<Pick<TaskHolder, 'attempt' | 'worker'>> =>
    untilBack(async () => {
      const [holder] = await dispatcher.holders([stepIdOf(runId, seq)]);
      if (holder) return holder;
      const before = (await insight.attempts(runId, [seq])).map(({ attempt }) => attempt);
      return { attempt: Math.max(0, ...before) + 1, worker: null };
    }, patience);
}

/** What the activations of a workflow share: its own options go before those of the module. */
export const ofWorkflow = (
  shared: ActivationShared,
  { retry, onExhausted, keepInputs }: WorkflowTraits,
): ActivationShared =>
  retry === undefined && onExhausted === undefined && keepInputs === undefined
    ? shared
    : {
        ...shared,
        retry: retry ?? shared.retry,
        onExhausted: onExhausted ?? shared.onExhausted,
        keepInputs: keepInputs ?? shared.keepInputs,
      };
