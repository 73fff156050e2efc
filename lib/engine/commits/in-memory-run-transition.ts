import { writeDetail } from '../model/mismatch.js';
import type { RunTransition } from '../model/run.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';

/** What a transition writes as the result of its run. */
export const outcomeOf = (transition: RunTransition): { output: string | null; error: string | null } => ({
  output: transition.status === 'completed' ? transition.output : null,
  error: 'error' in transition && transition.error ? JSON.stringify(transition.error) : null,
});

/** Changes a run as the last write of its owner says, who leaves it. */
export function leaveBehind(tables: MemoryTables, run: HeldRun, transition: RunTransition, now: number): void {
  const { output, error } = outcomeOf(transition);
  run.owner = null;
  if ('resume' in transition && transition.resume) run.resume = transition.resume;
  switch (transition.status) {
    case 'suspended': {
      const { wakeAt, settled, reason = null, detail, mismatch, blockedBy } = transition;
      const reasonDetail = writeDetail(detail, mismatch, blockedBy);
      const status = run.closing && !reason ? 'compensating' : 'suspended';
      return void Object.assign(run, { status, wakeAt, settled, crashes: 0, reason, reasonDetail });
    }
    case 'compensating': {
      const { status, closing, settled } = transition;
      const begun = { status, closing, settled, wakeAt: now, crashes: 0 };
      return void Object.assign(run, begun, { error: error ?? run.error });
    }
    case 'pending': {
      const { status, input, firstSeq, context = run.context } = transition;
      tables.steps.delete(run.id);
      const anew = { settled: 0, wakeAt: now, crashes: 0, continuedAt: now };
      return void Object.assign(run, { status, input, firstSeq, ...anew, ...(context !== undefined && { context }) });
    }
    default: {
      const { status } = transition;
      // A run with a failed compensation keeps its `closing` for a retry.
      const closing = status === 'compensation_failed' ? run.closing : null;
      Object.assign(run, { status, output, error, finishedAt: now, closing, wakeAt: null });
    }
  }
}
