import type { StepAnswer } from '../../protocol/step.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { lastOutcomes } from '../model/settled-answers.js';
import type { StepRecord } from '../model/step-record.js';

/** Runs that begin to be compensated: what workers had answered by then is the outcome of their steps. */
export function settleLastAnswers(
  tables: MemoryTables,
  runs: readonly HeldRun[],
  answers: readonly StepAnswer[] = [],
): void {
  const histories = new Map(runs.map(({ id }) => [id, tables.history(id)]));
  const order = [...histories].map(([id, history]) => ({ id, settled: lastSettled(history) }));
  for (const step of lastOutcomes(order, [...histories.values()].flat(), answers))
    tables.steps.get(step.runId)!.set(step.seq, step);
  for (const run of runs) run.settled = lastSettled(tables.history(run.id));
}

/** How many outcomes have a place in the order. */
export const lastSettled = (history: readonly StepRecord[]): number =>
  history.reduce((last, { settled }) => Math.max(last, settled ?? 0), 0);
