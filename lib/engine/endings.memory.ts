import type { StepAnswer } from '../core/protocol.js';
import { WorkflowTimeoutError } from '../core/run-errors.js';
import { toWireError } from '../core/wire-error.js';
import { answerOfChild, isOver, releasesOf } from './endings.js';
import { type ClaimedRun, isFinal, type NewRun, NOTIFIES, type RunStatus } from './run.js';
import type { Endings } from './runs.js';
import { lastOutcomes, type StepRecord } from './step.js';
import type { HeldRun, LimiterEntry, MemoryTables } from './tables.memory.js';

export interface Ending {
  run: HeldRun;
  status: RunStatus;
  output: string | null;
  error: string | null;
}

/** Computes the effects of these ends on others; changes nothing. */
export function endingsOf(tables: MemoryTables, endings: readonly Ending[]): Endings {
  const answers = endings.flatMap(({ run: { id, parentId, parentSeq }, status, output, error }) => {
    const parent = parentId === null ? undefined : tables.runs.get(parentId);
    if (!parent || parentSeq === null || isFinal(parent.status)) return [];
    return [answerOfChild({ id, parentId: parent.id, parentSeq, status, output, error })];
  });
  const ended = new Set(endings.map(({ run }) => run.id));
  const limiters = permitsOf(tables, ended).map(({ limitRequest }) => limitRequest.limiter);
  return { answers, limiters: [...new Set(limiters)] };
}

/** Applies the effects of ended runs on others. Returns whether runs became due. */
export function tellEnded(tables: MemoryTables, ids: readonly string[], now: number): boolean {
  for (const { holder } of permitsOf(tables, new Set(ids))) tables.limiterEntries.delete(holder);
  const told = ids.flatMap((targetId) => {
    const waiting = [...(tables.dependencies.get(targetId) ?? [])].map((id) => tables.runs.get(id));
    const parked = waiting.filter((run) => run !== undefined && isParked(run)) as HeldRun[];
    for (const run of waiting)
      if (run && (isParked(run) || isFinal(run.status))) deleteDependency(tables, targetId, run.id);
    return parked.map(({ id: runId }) => ({ runId, targetId, status: tables.runs.get(targetId)!.status }));
  });
  const due = releasesOf(told).map(({ id, met, error }) => {
    const run = tables.runs.get(id)!;
    run.blockers -= met;
    if (error === null && run.blockers > 0) return false;
    Object.assign(run, {
      wakeAt: now,
      reason: null,
      blockers: 0,
      precondition: error === null && run.limiter ? 'limiter' : null,
    });
    if (error !== null) Object.assign(run, { closing: 'failed', error });
    if (error !== null) deleteDependenciesOf(tables, id);
    return true;
  });
  return due.includes(true);
}

/** The limiter entries of runs and of their steps. */
const permitsOf = ({ limiterEntries }: MemoryTables, runIds: ReadonlySet<string>): LimiterEntry[] =>
  [...limiterEntries.values()].filter(({ runId }) => runIds.has(runId));

function deleteDependenciesOf(tables: MemoryTables, runId: string): void {
  for (const targetId of [...tables.dependencies.keys()]) deleteDependency(tables, targetId, runId);
}

function deleteDependency(tables: MemoryTables, targetId: string, runId: string): void {
  const waiting = tables.dependencies.get(targetId);
  waiting?.delete(runId);
  if (waiting?.size === 0) tables.dependencies.delete(targetId);
}

const isParked = ({ status, reason, owner }: HeldRun): boolean =>
  status === 'pending' && reason === 'waiting_for_runs' && owner === null;

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
  if (blockers === 0) return [pass(run, held)];
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

function pass(run: ClaimedRun, held: HeldRun): ClaimedRun {
  const precondition = held.limiter ? 'limiter' : null;
  Object.assign(held, { precondition, blockers: 0, reason: null });
  if (precondition === null) Object.assign(held, { status: 'running', startedAt: held.startedAt ?? run.claimedAt });
  return { ...run, precondition };
}
