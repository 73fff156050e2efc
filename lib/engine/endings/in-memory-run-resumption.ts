import type { ResumptionRefusal } from '../model/run-control.js';
import { type HeldRun, type MemoryTables, keepAttempts } from '../tables/memory-tables.js';
import { lastSettled } from './in-memory-run-dependencies.js';
import {
  foundWithout,
  isConcerned,
  planResumption,
  reopenExhausted,
  type ResumableRun,
  type Resumption,
} from './resumption.js';

/** Lets a failed run go on, or returns why it cannot; then it changes nothing. The child `left` stays as it is. */
export async function resumeInMemory(
  tables: MemoryTables,
  run: HeldRun,
  now: number,
  givingUp: (plan: Resumption) => Promise<unknown>,
  left: string | null = null,
): Promise<ResumptionRefusal | undefined> {
  const resumed = resumptionInMemory(tables, run, now, left);
  if ('refusal' in resumed) return resumed.refusal;
  if (resumed.plan.withdrawn.length > 0) await givingUp(resumed.plan);
  applyResumption(tables, resumed.plan, now);
  return undefined;
}

function resumptionInMemory(
  tables: MemoryTables,
  root: HeldRun,
  now: number,
  left: string | null,
): { plan: Resumption } | { refusal: ResumptionRefusal } {
  const found = foundWithout(left);
  for (;;) {
    const planned = planResumption(resumable(tables, root), found, now);
    if (!('needs' in planned)) return planned;
    for (const id of planned.needs) {
      const run = tables.runs.get(id);
      found.set(id, run && resumable(tables, run));
    }
  }
}

const resumable = (tables: MemoryTables, run: HeldRun): ResumableRun => ({
  ...run,
  steps: tables.history(run.id).filter(isConcerned),
});

/** For a blocked run: its steps that have used all their attempts get fresh ones. */
export function reopenInMemory(tables: MemoryTables, run: HeldRun, now: number): void {
  const again = reopenExhausted(resumable(tables, run), now);
  if (!again) return;
  for (const step of again.steps) tables.steps.get(run.id)!.set(step.seq, step);
  run.resume = again.resume;
}

function applyResumption(tables: MemoryTables, plan: Resumption, now: number): void {
  for (const { runId, ...attempt } of plan.attempts) keepAttempts(tables, runId, [attempt]);
  for (const { runId, seq } of plan.forgotten) tables.steps.get(runId)?.delete(seq);
  for (const { runId, after } of plan.markers)
    for (const { seq, kind } of tables.history(runId))
      if (kind === 'marker' && seq >= after) tables.steps.get(runId)!.delete(seq);
  for (const step of plan.steps) tables.steps.get(step.runId)!.set(step.seq, step);
  for (const { id, resume } of plan.runs) {
    const run = tables.runs.get(id)!;
    const how = run.limiter
      ? ({ status: 'pending', precondition: 'limiter' } as const)
      : ({ status: 'suspended', precondition: null } as const);
    const deadline = run.timeoutMs === null ? null : now + run.timeoutMs;
    const open = { closing: null, error: null, finishedAt: null, crashes: 0, wakeAt: now, deadline, resume };
    Object.assign(run, { ...how, ...open, settled: lastSettled(tables.history(id)) });
  }
}
