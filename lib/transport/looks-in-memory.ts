import { type GroupInSight, type GroupsQuery, LAPSED_MS } from '../worker/task-source.js';
import type { WaitingQuery, WaitingTasks } from '../worker/waiting-tasks.js';
import { byName, type WaitingTask } from './tasks-by-name.js';

/* What is read to see how tasks stand, for tasks in maps. */

interface HeldTask {
  group: string;
  claimedAt?: number | undefined;
  createdAt: number;
}

/** A page of the groups of these tasks. */
export function groupsOf(
  tasks: readonly HeldTask[],
  { after, limit, atMost, also = [], groups: named }: GroupsQuery,
  now: number,
): GroupInSight[] {
  const groups = [...new Set([...tasks.map(({ group }) => group), ...also])].filter((group) => group > after).sort();
  return (named ?? groups.slice(0, limit)).map((group) => {
    const all = tasks.filter((task) => task.group === group);
    return groupInSight(group, all, atMost, now - LAPSED_MS);
  });
}

function groupInSight(group: string, all: readonly HeldTask[], atMost: number, before: number): GroupInSight {
  const tasks = [...all].sort((a, b) => a.createdAt - b.createdAt).slice(0, atMost + 1);
  const waiting = tasks.filter(({ claimedAt }) => claimedAt === undefined);
  const lapsed = tasks.filter(({ claimedAt }) => claimedAt !== undefined && claimedAt <= before).length;
  const inHand = tasks.length - waiting.length - lapsed;
  return {
    group,
    waiting: waiting.length,
    since: waiting[0]?.createdAt ?? null,
    inHand,
    lapsed,
    more: tasks.length > atMost,
  };
}

type Row = HeldTask & Omit<WaitingTask, 'waitedMs' | 'isClaimed'>;

/** Those of these tasks that have waited for long, by name. */
export function waitingIn(tasks: readonly Row[], { olderThanMs, groups }: WaitingQuery, now: number): WaitingTasks[] {
  const asked = tasks.filter((task) => groups?.includes(task.group) ?? true);
  const old = asked.filter(({ createdAt }) => createdAt <= now - olderThanMs);
  return byName(old.map((task) => ({ ...task, waitedMs: now - task.createdAt, isClaimed: isClaimed(task, now) })));
}

/** A worker has it, and lives as far as one can know. */
export const isClaimed = ({ claimedAt }: Pick<HeldTask, 'claimedAt'>, now: number): boolean =>
  claimedAt !== undefined && claimedAt > now - LAPSED_MS;
