import type { RecordedHistory } from '../engine/insight/recorded-history.js';
import type { StepRecord } from '../engine/model/step-record.js';
import { heldRun } from '../engine/starts/in-memory-run-starter.js';
import type { MemoryTables } from '../engine/tables/memory-tables.js';

/** A time by which everything recorded had happened, epoch ms. */
export function endOf({ run, steps }: RecordedHistory): number {
  const times = steps.flatMap(({ createdAt, startedAt, finishedAt }) => [createdAt, startedAt ?? 0, finishedAt ?? 0]);
  return Math.max(run.since, ...times) + 1;
}

/**
 * Puts a run among the due runs, with the outcomes of its history as its own. Steps without an outcome are asked for
 * again; with `from`, so are the steps that ended later than the step at that position.
 */
export function continueHistory(
  tables: MemoryTables,
  history: RecordedHistory,
  { namespace, now, from }: { namespace: string; now: number; from: number | undefined },
): void {
  const { id, workflow, version, input, firstSeq, context } = history.run;
  const steps = outcomesBefore(history.steps, from);
  const identity = { id, namespace, workflow, version, input: input ?? 'null', priority: 0, delayMs: 0 };
  const asked = { ...identity, ...(context !== undefined && { context }) };
  const settled = Math.max(0, ...steps.map((step) => step.settled ?? 0));
  // The history of a run that was never claimed is not read. A run that has nothing to undo ends the same with `unwinds`.
  const played = { status: 'suspended', epoch: 1, startedAt: now, unwinds: true } as const;
  tables.runs.set(id, { ...heldRun(asked, now), ...played, firstSeq, settled });
  tables.steps.set(id, new Map(steps.map((step) => [step.seq, { ...step }])));
  tables.tellDue();
}

/** Markers have no outcome: they are kept with the positions before them. */
function outcomesBefore(steps: readonly StepRecord[], from = Number.POSITIVE_INFINITY): StepRecord[] {
  const end = steps.find(({ seq }) => seq === from)?.settled ?? Number.POSITIVE_INFINITY;
  const ours = steps.filter(({ seq }) => seq >= 0 && seq < from);
  return ours.filter(({ kind, settled }) => (settled === null ? kind === 'marker' : settled < end));
}
