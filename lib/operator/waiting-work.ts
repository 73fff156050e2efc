import type { DurableNode } from '../engine/nodes/node-views.js';
import type { UnfinishedRuns } from '../engine/model/run-control.js';
import type { Hold, HoldKind } from '../holds/hold.js';
import type { TaskSource } from '../worker/task-source.js';
import { workersOf } from './queues.js';

/** Runs of one version of a workflow that are due, and that no process has taken. */
export interface DueRuns {
  workflow: string;
  version: number;
  /** Since when the first of them is due. */
  since: Date;
}

export interface WaitingGroup {
  group: string;
  /** The step whose tasks wait. */
  step: string;
  /** Of the 50 oldest tasks of the group. */
  waiting: number;
  since: Date;
}

export interface WaitingPorts {
  unfinished: Pick<UnfinishedRuns, 'overdue'>;
  source: Pick<TaskSource, 'waiting'>;
  nodes: () => Promise<DurableNode[]>;
  holds: () => Promise<Hold[]>;
  namespace: string;
}

/** Without workflows that are held: they wait for whoever holds them. The longest first. */
export async function dueRuns(
  { unfinished, holds, namespace }: Omit<WaitingPorts, 'source' | 'nodes'>,
  olderThanMs: number,
): Promise<DueRuns[]> {
  const due = await unfinished.overdue(namespace, olderThanMs);
  const free = await notHeld('workflow', due, ({ workflow }) => workflow, holds);
  return free.map(({ since, ...kind }) => ({ ...kind, since: new Date(since) })).sort(bySince);
}

/** Tasks that nobody would take, without groups that are held. The longest waiting first. */
export async function unservedTasks(
  { source, nodes, holds }: WaitingPorts,
  olderThanMs: number,
): Promise<WaitingGroup[]> {
  const { tasks } = await source.waiting({ olderThanMs, cursor: undefined });
  const unclaimed = tasks.filter(({ isClaimed }) => !isClaimed);
  const waiting = await notHeld('group', unclaimed, ({ group }) => group, holds);
  if (waiting.length === 0) return [];
  const serving = (await nodes()).filter(({ alive, draining }) => alive && !draining);
  return waiting
    .filter(({ group, name }) => !workersOf(group, serving).some(({ steps }) => steps.includes(name)))
    .map(({ name: step, group, count, since }) => ({ group, step, waiting: count, since: new Date(since) }))
    .sort(bySince);
}

async function notHeld<T>(
  kind: HoldKind,
  items: readonly T[],
  nameOf: (item: T) => string,
  holds: WaitingPorts['holds'],
): Promise<readonly T[]> {
  if (items.length === 0) return items;
  const held = new Set((await holds()).filter((hold) => hold.kind === kind).map(({ name }) => name));
  return items.filter((item) => !held.has(nameOf(item)));
}

const bySince = (a: { since: Date }, b: { since: Date }): number => a.since.getTime() - b.since.getTime();
