import type { HeldRun, LimiterEntry, MemoryTables } from '../tables/memory-tables.js';
import { answerOfChild, releasesOf } from '../model/run-endings.js';
import type { Endings } from '../model/run-store.js';
import { isFinal, type RunStatus } from '../model/run.js';

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

export function deleteDependenciesOf(tables: MemoryTables, runId: string): void {
  for (const targetId of [...tables.dependencies.keys()]) deleteDependency(tables, targetId, runId);
}

export function deleteDependency(tables: MemoryTables, targetId: string, runId: string): void {
  const waiting = tables.dependencies.get(targetId);
  waiting?.delete(runId);
  if (waiting?.size === 0) tables.dependencies.delete(targetId);
}

const isParked = ({ status, reason, owner }: HeldRun): boolean =>
  status === 'pending' && reason === 'waiting_for_runs' && owner === null;
