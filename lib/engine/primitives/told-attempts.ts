import type { Activation } from '../activation/activation.js';
import type { StepRecord } from '../model/step-record.js';

/** Tells of an attempt of a local step that has ended, if somebody listens. */
export function tellEnded({ shared, run, closed }: Activation, step: StepRecord, failure?: { thrown: unknown }): void {
  const { runId, name, kind, seq, attempt, startedAt } = step;
  // Undoing a step is no attempt of it, and what is written no more counts for nobody.
  if (closed || seq < 0 || startedAt === null || (kind !== 'step' && kind !== 'transaction')) return;
  shared.onStepEnded?.(() => {
    const times = { startedAt, durationMs: Math.max(0, shared.clock.now() - startedAt) };
    const error = failure && { error: classOf(failure.thrown) };
    return { runId, workflow: run.workflow, name, kind, seq, attempt: attempt + 1, ...times, ...error };
  });
}

function classOf(thrown: unknown): { name: string; code?: string } {
  if (!(thrown instanceof Error)) return { name: 'Error' };
  const { name, code } = thrown as { name: string; code?: unknown };
  return { name, ...(typeof code === 'string' && { code }) };
}
