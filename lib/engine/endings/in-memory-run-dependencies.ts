import { deleteDependenciesOf, deleteDependency } from './in-memory-run-endings.js';
import { isOver, releasesOf } from '../model/run-endings.js';
import { type ClaimedRun, isFinal, type NewRun, NOTIFIES } from '../model/run.js';
import { lastOutcomes, type StepRecord } from '../model/step-record.js';
import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { WorkflowTimeoutError } from '../../errors/run-errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import { toWireError } from '../../protocol/wire-error.js';

/** For runs that are closed: existing answers of workers become the outcomes of their steps. */
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

/** The last used place in the order of outcomes. */
export const lastSettled = (history: readonly StepRecord[]): number =>
  history.reduce((last, { settled }) => Math.max(last, settled ?? 0), 0);

/** Adds the dependencies of a new run on the runs that it waits for. */
export function addDependencies({ dependencies }: MemoryTables, { id, after = [] }: NewRun): void {
  for (const targetId of after) dependencies.set(targetId, (dependencies.get(targetId) ?? new Set<string>()).add(id));
}

/** Returns the claimed runs that no longer wait for other runs; parks the rest. */
export const pastOthers = (tables: MemoryTables, runs: readonly ClaimedRun[], now: number): ClaimedRun[] =>
  runs.flatMap((run) => {
    const held = tables.runs.get(run.id);
    if (held?.epoch !== run.epoch || held.owner === null) return [];
    const targets = [...tables.dependencies].flatMap(([targetId, waiting]) => (waiting.has(run.id) ? [targetId] : []));
    return decide(tables, run, held, targets, now);
  });

function decide(
  tables: MemoryTables,
  run: ClaimedRun,
  held: HeldRun,
  targets: readonly string[],
  now: number,
): ClaimedRun[] {
  const dependences = targets.map((targetId) => {
    return { runId: run.id, targetId, status: tables.runs.get(targetId)?.status ?? null };
  });
  const ended = dependences.filter(({ status }) => isOver(status));
  for (const { targetId } of ended) deleteDependency(tables, targetId, run.id);
  const error = releasesOf(ended)[0]?.error ?? null;
  const blockers = targets.length - ended.length;
  if (error !== null) {
    deleteDependenciesOf(tables, run.id);
    Object.assign(held, { status: 'compensating', precondition: null, closing: 'failed', error, blockers: 0 });
    return [{ ...run, precondition: null, closing: 'failed', error }];
  }
  if (blockers === 0) return [pass(run, held, now)];
  if (held.deadline !== null && held.deadline <= now) {
    const late = JSON.stringify(toWireError(new WorkflowTimeoutError(run.id)));
    return [{ ...run, precondition: null, closing: 'failed', error: late }];
  }
  for (const { targetId, status } of dependences) {
    const target = tables.runs.get(targetId);
    if (target && status !== null && !isFinal(status)) target.notifies |= NOTIFIES.runs;
  }
  const parked = { owner: null, status: 'pending', reason: 'waiting_for_runs', wakeAt: held.deadline } as const;
  Object.assign(held, parked, { blockers });
  return [];
}

function pass(run: ClaimedRun, held: HeldRun, now: number): ClaimedRun {
  const precondition = held.limiter ? 'limiter' : null;
  Object.assign(held, { precondition, blockers: 0, reason: null });
  if (precondition === null) Object.assign(held, { status: 'running', startedAt: held.startedAt ?? now });
  return { ...run, precondition };
}
