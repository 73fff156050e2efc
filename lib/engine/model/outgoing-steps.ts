import { stepIdOf } from '../../protocol/step.js';
import type { RunExtras, RunWrite } from './run-store.js';

/** The positions of steps whose records are committed with events or effect calls, which must be written only once. */
export const outgoingSeqs = ({ publishes = [], enqueues = [] }: RunExtras): number[] =>
  [...publishes, ...enqueues].map(({ seq }) => seq);

/** Writes that may have been committed before and contain events or effect calls. */
export const inDoubt = (writes: readonly RunWrite[]): readonly RunWrite[] =>
  writes.filter(({ again, extras = {} }) => again && outgoingSeqs(extras).length > 0);

/** Returns the writes without the events and effect calls of steps that are recorded already. */
export function withoutRecorded(
  writes: readonly RunWrite[],
  isRecorded: (stepId: string) => boolean,
): readonly RunWrite[] {
  return writes.map((write) => {
    const { runId, again, extras } = write;
    if (!again || !extras) return write;
    const isNew = ({ seq }: { seq: number }) => !isRecorded(stepIdOf(runId, seq));
    const { publishes = [], enqueues = [] } = extras;
    return { ...write, extras: { ...extras, publishes: publishes.filter(isNew), enqueues: enqueues.filter(isNew) } };
  });
}
