import type { StepAnswer } from '../../protocol/step.js';
import { isAnswerable } from '../tables/in-memory-run-states.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import { isFinal } from '../model/run.js';
import { openIn, settleAnswers } from '../model/settled-answers.js';
import { freeLeft } from '../signals/in-memory-left-signals.js';
import { isNote, leftIn, leftOver } from '../model/left-signals.js';

/** What answers make of runs that nobody plays. Signals in what settles nothing are anybody's again. */
export function settleInto(tables: MemoryTables, now: number, answers: readonly StepAnswer[]): void {
  const ids = new Set(answers.filter((answer) => !isNote(answer)).map(({ runId }) => runId));
  const alive = [...ids].map((id) => tables.runs.get(id)!).filter(({ status }) => !isFinal(status));
  const open = alive.flatMap((run) => tables.history(run.id).filter(isAnswerable));
  const answerable = alive.flatMap((run) => openIn(tables.history(run.id).filter(isAnswerable), run.status));
  const settled = settleAnswers(alive, answerable, answers);
  for (const step of settled.steps) tables.steps.get(step.runId)!.set(step.seq, step);
  for (const { id, settled: order } of settled.runs) {
    const run = tables.runs.get(id)!;
    run.settled = order;
    if (run.reason === null) run.wakeAt = Math.min(run.wakeAt ?? now, now);
  }
  freeLeft(tables, leftIn(leftOver(answers, settled.steps, open)));
}
