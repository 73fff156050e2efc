import type { HoldStore } from '../holds/hold-store.js';
import type { Hold } from '../holds/hold.js';
import type { DurableNode } from '../engine/nodes/node-views.js';
import type { GroupInSight, TaskSource } from '../worker/task-source.js';
import type { KnownOptions } from '../options/known-options.js';
import { checkedLimit, type Count } from './questions.js';

/** A process that runs steps of a group. */
export interface ServingWorker {
  id: string;
  host: string;
  /** How many steps it runs at once, of all its groups. */
  concurrency: number;
  /** The steps of the group that it has code for. */
  steps: readonly string[];
}

/** A group, the queue from which workers take tasks. */
export interface QueueInSight {
  group: string;
  /** Tasks that no worker has, counted up to 1,000. */
  waiting: Count;
  /** Since when the oldest of these waits. */
  since: Date | null;
  /** Tasks that a worker has, among those that were counted. */
  inHand: number;
  /** Tasks whose worker has not renewed its lease for five minutes, among those that were counted. */
  lapsed: number;
  /** Nobody: its tasks wait for a worker to be started, or for one in another language, which signs in nowhere. */
  servedBy: ServingWorker[];
  /** Undefined: it is not held. */
  hold: Hold | undefined;
}

export interface QueuesPage {
  /** By name; also groups without tasks that a process serves, or that are held. */
  queues: QueueInSight[];
  /** For the next page. */
  cursor?: string;
}

export interface PageOptions {
  /** Items per page, from 1 to 100. Default 100. */
  limit?: number;
  /** The cursor of the previous page. */
  cursor?: string;
}

export const PAGE_OPTIONS = { limit: true, cursor: true } satisfies KnownOptions<PageOptions>;

/** The tasks of a group that are counted, the oldest first. */
const COUNTED = 1_000;

interface Ports {
  source: Pick<TaskSource, 'groups'>;
  holds: Pick<HoldStore, 'list'>;
  nodes: () => Promise<DurableNode[]>;
  namespace: string;
}

/** A page of the queues: two reads of tasks, and what processes have said that they serve. */
export async function queuesPage(
  { source, holds, nodes, namespace }: Ports,
  { limit = 100, cursor: after = '' }: PageOptions,
): Promise<QueuesPage> {
  checkedLimit(limit, 100);
  // A transport of the app may not know.
  const found = (await source.groups?.({ after, limit, atMost: COUNTED })) ?? [];
  const last = found.length < limit ? undefined : found.at(-1)?.group;
  const [alive, held] = [await nodes(), await holds.list(namespace)];
  const served = alive.flatMap(({ serves }) => Object.keys(serves.groups ?? {}));
  const heldGroups = held.filter(({ kind }) => kind === 'group').map(({ name }) => name);
  const idle = [...new Set([...served, ...heldGroups])]
    .filter((group) => group > after && (last === undefined || group <= last))
    .filter((group) => !found.some((known) => known.group === group))
    .map((group): GroupInSight => ({ group, waiting: 0, since: null, inHand: 0, lapsed: 0, more: false }));
  const queues = [...found, ...idle].sort((a, b) => (a.group < b.group ? -1 : 1));
  return { queues: queues.map((one) => queueOf(one, alive, held)), ...(last !== undefined && { cursor: last }) };
}

const queueOf = (found: GroupInSight, nodes: readonly DurableNode[], holds: readonly Hold[]): QueueInSight => {
  const { group, waiting, since, inHand, lapsed, more } = found;
  return {
    group,
    waiting: more ? { atLeast: waiting } : waiting,
    since: since === null ? null : new Date(since),
    inHand,
    lapsed,
    servedBy: workersOf(group, nodes),
    hold: holds.find(({ kind, name }) => kind === 'group' && name === group),
  };
};

export const workersOf = (group: string, nodes: readonly DurableNode[]): ServingWorker[] =>
  nodes.flatMap(({ id, host, serves: { groups = {}, concurrency = 0 } }) =>
    Object.hasOwn(groups, group) ? [{ id, host, concurrency, steps: groups[group]! }] : [],
  );
