import type { WaitingTasks } from '../worker/waiting-tasks.js';

/** A task of which a look knows how long it has waited. */
export interface WaitingTask {
  stepId: string;
  runId: string;
  attempt: number;
  name: string;
  group: string;
  createdAt: number;
  waitedMs: number;
  /** Whether a worker has it, and lives as far as one can know. */
  isClaimed: boolean;
}

/**
 * These tasks by group and name, those with the oldest unclaimed one first. Tasks of the same time keep their order: it is
 * that of claims.
 */
export function byName(tasks: readonly WaitingTask[]): WaitingTasks[] {
  const found = new Map<string, WaitingTasks>();
  for (const { name, group, isClaimed, createdAt: since, waitedMs, stepId, runId, attempt } of tasks.toSorted(inTurn)) {
    const key = JSON.stringify([group, name]);
    const first = { name, group, count: 0, isClaimed, oldest: { stepId, runId, attempt }, since, waitedMs };
    const known = found.get(key) ?? first;
    const count = known.count + (isClaimed ? 0 : 1);
    found.set(key, { ...known, count, isClaimed: known.isClaimed || isClaimed });
  }
  return [...found.values()].sort((a, b) => b.waitedMs - a.waitedMs);
}

/** Unclaimed ones first. */
const inTurn = (a: WaitingTask, b: WaitingTask): number =>
  Number(a.isClaimed) - Number(b.isClaimed) || a.createdAt - b.createdAt;
