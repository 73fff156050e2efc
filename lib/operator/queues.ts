import type { HoldStore } from '../holds/hold-store.js';
import type { Hold } from '../holds/hold.js';
import type { DurableNode } from '../engine/nodes/node-views.js';
import type { GroupInSight, GroupsQuery, TaskSource } from '../worker/task-source.js';
import { checkName } from '../engine/model/names.js';
import type { KnownOptions } from '../options/known-options.js';
import { checkedLimit, type Count } from './questions.js';
import type { GroupFlow, PerMinute } from './group-flow.js';

/** A process that runs steps of a group. */
export interface ServingWorker {
  id: string;
  host: string;
  /** How many steps it runs at once, of all its groups. */
  concurrency: number;
  /** The steps of the group that it has code for. */
  steps: readonly string[];
  /** It begins no new ones. */
  draining: boolean;
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
  /** Null if no process has counted it in the last minutes. */
  perMinute: PerMinute | null;
}

export interface QueuesPage {
  /** By name, in the order of the database; also groups without tasks that a process serves, or that are held. */
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

export interface QueuesOptions extends PageOptions {
  /** Only this group; none if it has no tasks, nobody serves it and nobody holds it. */
  group?: string;
}

export const QUEUES_OPTIONS = { ...PAGE_OPTIONS, group: true } satisfies KnownOptions<QueuesOptions>;

/** The tasks of a group that are counted, the oldest first. */
const COUNTED = 1_000;

interface Ports {
  source: Pick<TaskSource, 'groups'>;
  holds: Pick<HoldStore, 'list'>;
  nodes: () => Promise<DurableNode[]>;
  flow: Pick<GroupFlow, 'of'>;
  namespace: string;
}

/** A page of the queues: at most two reads of tasks, what processes have said that they serve, and what they have counted. */
export async function queuesPage(
  { source, holds, nodes, namespace, flow }: Ports,
  { limit = 100, cursor: after = '', group }: QueuesOptions,
): Promise<QueuesPage> {
  checkedLimit(limit, 100);
  const only = group === undefined ? undefined : [checkName(group, 'group')];
  const [alive, held] = [await nodes(), await holds.list(namespace)];
  const served = alive.flatMap(({ serves }) => Object.keys(serves.groups ?? {}));
  const heldGroups = held.filter(({ kind }) => kind === 'group').map(({ name }) => name);
  const also = [...new Set([...served, ...heldGroups])];
  const query = { after, limit, atMost: COUNTED, also, ...(only && { groups: only }) };
  // A transport of the app may not know.
  const listed = (await source.groups?.(query)) ?? withoutTasks(query);
  const isMeant = (one: GroupInSight) => one.group === group && (also.includes(one.group) || hasTasks(one));
  const found = only ? listed.filter(isMeant) : listed;
  const perMinute = await flow.of();
  const last = only || found.length < limit ? undefined : found.at(-1)?.group;
  return {
    queues: found.map((one) => ({ ...queueOf(one, alive, held), perMinute: perMinute(one.group) })),
    ...(last !== undefined && { cursor: last }),
  };
}

const hasTasks = ({ waiting, inHand, lapsed }: GroupInSight): boolean => waiting + inHand + lapsed > 0;

const withoutTasks = ({ after, limit, also = [], groups }: GroupsQuery): GroupInSight[] =>
  (
    groups ??
    [...also]
      .sort()
      .filter((group) => group > after)
      .slice(0, limit)
  ).map((group) => ({ group, waiting: 0, since: null, inHand: 0, lapsed: 0, more: false }));

const queueOf = (
  found: GroupInSight,
  nodes: readonly DurableNode[],
  holds: readonly Hold[],
): Omit<QueueInSight, 'perMinute'> => {
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
  nodes.flatMap(({ id, host, draining, serves: { groups = {}, concurrency = 0 } }) =>
    Object.hasOwn(groups, group) ? [{ id, host, concurrency, steps: groups[group]!, draining: draining !== null }] : [],
  );
