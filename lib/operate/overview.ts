import type { Hold, HoldKind, HoldStore } from '../acts/holds.js';
import { ConfigurationError, QuestionTimeoutError } from '../core/errors.js';
import { checkedLimit, checkedOneOf, cursorText, type KnownOptions, readCursor } from '../core/options.js';
import { isStorable } from '../core/protocol.js';
import { type Duration, stopwatch } from '../core/time.js';
import type { UnclaimedEffects } from '../effects/entries.js';
import type { UnfinishedRuns } from '../engine/control.js';
import type { FleetInsight, RunInsight } from '../engine/insight.js';
import { ageMs } from '../engine/listing.js';
import type { DurableNode } from '../engine/nodes.js';
import { type BlockReason, checkName, type RunRecord } from '../engine/run.js';
import type { TaskSource } from '../worker/task-source.js';
import {
  type GroupInSight,
  type GroupsQuery,
  type StoredTask,
  type StoredTasksPage,
  TASK_STATUSES,
  type TaskPosition,
  type TasksQuery,
  type TaskStatus,
} from '../worker/waiting-tasks.js';
import {
  type Count,
  countOf,
  dateOf,
  type DestinationInSight,
  type LateSchedule,
  MOST_COUNTED,
  type OperatorEffects,
  type OperatorOutbox,
  PAGE_OPTIONS,
  type PageOptions,
  type Questions,
} from './operator-parts.js';
import type { GroupFlow, PerMinute } from './samples.js';

export interface BlockedKind {
  workflow: string;
  version: number;
  reason: BlockReason;
  runs: Count;
}

/** What needs somebody. An empty list: nothing of that kind does. */
export interface Overview {
  /** Blocked runs by what they have in common, most first. */
  blocked: BlockedKind[];
  /** Runs that could not undo their steps. */
  compensationFailed: Count;
  failed: Count;
  /** Runs that have been due for 30 s, and that no process has taken; the longest first, without held workflows. */
  due: DueRuns[];
  /** Groups whose tasks wait for 30 s, while no process serves them; of up to 100 groups, without held ones. */
  unserved: WaitingGroup[];
  /** Publishers and consumers with blocked channels or dead letters. */
  outbox: Pick<DestinationInSight, 'name' | 'blocked' | 'blockedSince' | 'dead'>[];
  effects: { abandoned: Count; /** Handlers whose calls nobody has made for 5 min. */ unclaimed: UnclaimedEffects[] };
  /** Schedules that should have fired more than a minute ago. */
  lateSchedules: LateSchedule[];
  holds: Hold[];
  /** Processes that ended within the last hour without signing off: they were killed, or lost their database. */
  lost: Pick<DurableNode, 'id' | 'host' | 'roles' | 'seenAt'>[];
  /** Processes that begin nothing new until they are resumed. */
  draining: (Pick<DurableNode, 'id' | 'host' | 'roles'> & NonNullable<DurableNode['draining']>)[];
  /** Parts that could not be answered in time: they are empty here, and say nothing. */
  unanswered: (keyof Overview)[];
}

/** Undefined parts: the app has no outbox or effects. */
export interface OverviewPorts extends WaitingPorts {
  fleet: FleetInsight;
  outbox: OperatorOutbox | undefined;
  effects: OperatorEffects | undefined;
  late: () => Promise<LateSchedule[]>;
  now: () => number;
}

const WAITS_MS = 30_000;
const LOST_MS = 3_600_000;

/** Each part is asked on its own, one after the other: one connection at a time, and one slow part leaves the others. */
export const overviewParts = (
  ports: OverviewPorts,
): { [Part in Exclude<keyof Overview, 'unanswered'>]: () => Promise<Overview[Part]> } => {
  const { fleet, namespace, outbox, effects } = ports;
  const counted = async (status: 'failed' | 'compensation_failed'): Promise<Count> => {
    const { byStatus } = await fleet.counts({ namespace, status: [status], limit: 1 }, MOST_COUNTED);
    const found = byStatus.find((one) => one.status === status);
    return found ? countOf(found) : 0;
  };
  return {
    blocked: async () => {
      const kinds = await fleet.blocked(namespace, MOST_COUNTED);
      return kinds.map(({ count, more, ...kind }) => ({ ...kind, runs: countOf({ count, more }) }));
    },
    compensationFailed: () => counted('compensation_failed'),
    failed: () => counted('failed'),
    due: () => dueRuns(ports, WAITS_MS),
    unserved: () => unservedTasks(ports, WAITS_MS),
    outbox: async () => {
      const all = (await outbox?.destinations()) ?? [];
      return all
        .filter(({ blocked, dead }) => blocked !== 0 || dead !== 0)
        .map(({ name, blocked, blockedSince, dead }) => ({ name, blocked, blockedSince, dead }));
    },
    effects: async () => {
      if (!effects) return { abandoned: 0, unclaimed: [] };
      return { abandoned: await effects.count('abandoned'), unclaimed: await effects.unclaimed() };
    },
    lateSchedules: ports.late,
    holds: ports.holds,
    lost: async () => {
      const since = ports.now() - LOST_MS;
      const nodes = (await ports.nodes()).filter(({ lost, seenAt }) => lost && seenAt.getTime() >= since);
      return nodes.map(({ id, host, roles, seenAt }) => ({ id, host, roles, seenAt }));
    },
    draining: async () =>
      (await ports.nodes()).flatMap(({ id, host, roles, draining }) =>
        draining ? [{ id, host, roles, ...draining }] : [],
      ),
  };
};

const nothing = (): Overview => ({
  blocked: [],
  compensationFailed: 0,
  failed: 0,
  due: [],
  unserved: [],
  outbox: [],
  effects: { abandoned: 0, unclaimed: [] },
  lateSchedules: [],
  holds: [],
  lost: [],
  draining: [],
  unanswered: [],
});

/** A part that takes longer leaves time for the others. */
const PART = 0.4;

/** Answers what can be answered in time, all together. @throws any error but that of a part that took too long */
export async function overviewOf(parts: ReturnType<typeof overviewParts>, questions: Questions): Promise<Overview> {
  const overview = nothing();
  const end = stopwatch.now() + questions.mostMs;
  for (const part of Object.keys(parts) as (keyof typeof parts)[]) {
    try {
      const mostMs = Math.max(1, Math.min(PART * questions.mostMs, end - stopwatch.now()));
      Object.assign(overview, { [part]: await questions.ask<unknown>(`overview: ${part}`, parts[part], mostMs) });
    } catch (error) {
      if (!(error instanceof QuestionTimeoutError)) throw error;
      overview.unanswered.push(part);
    }
  }
  return overview;
}

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

export interface QueuesOptions extends PageOptions {
  /** Only this group; none if it has no tasks, nobody serves it and nobody holds it. */
  group?: string;
}

export const QUEUES_OPTIONS = { ...PAGE_OPTIONS, group: true } satisfies KnownOptions<QueuesOptions>;

/** The tasks of a group that are counted, the oldest first. */
const COUNTED = 1_000;

interface QueuePorts {
  source: Pick<TaskSource, 'groups'>;
  holds: Pick<HoldStore, 'list'>;
  nodes: () => Promise<DurableNode[]>;
  flow: Pick<GroupFlow, 'of'>;
  namespace: string;
}

/** A page of the queues: at most two reads of tasks, what processes have said that they serve, and what they have counted. */
export async function queuesPage(
  { source, holds, nodes, namespace, flow }: QueuePorts,
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

const workersOf = (group: string, nodes: readonly DurableNode[]): ServingWorker[] =>
  nodes.flatMap(({ id, host, draining, serves: { groups = {}, concurrency = 0 } }) =>
    Object.hasOwn(groups, group) ? [{ id, host, concurrency, steps: groups[group]!, draining: draining !== null }] : [],
  );

/** A task of a remote step: what a worker has, or waits for one. */
export interface ListedTask extends Pick<StoredTask, 'seq' | 'group' | 'attempt' | 'status' | 'worker'> {
  workflowId: string;
  /** Null: of an engine in another language, or of a run that is being deleted. */
  workflow: string | null;
  step: string;
  /** When it was claimed, or its lease renewed. */
  claimedAt: Date | null;
  /** When it was dispatched; a second earlier per point of its priority. */
  since: Date;
}

export interface ListedTasksPage {
  /** By group, in the order of the database, and within it the oldest first. */
  tasks: ListedTask[];
  /**
   * Pass it to the next call; undefined on the last page. A page with a cursor may have fewer tasks than `limit`, or none:
   * one call looks at 10,000.
   */
  cursor?: string;
}

/** Which tasks; all that is given must hold. */
export interface ListTasksOptions extends PageOptions {
  group?: string;
  /** The name of the step. */
  step?: string;
  status?: TaskStatus;
  worker?: string;
  /** Dispatched at least so long ago. */
  olderThan?: Duration;
}

export const LIST_TASKS_OPTIONS = {
  ...PAGE_OPTIONS,
  group: true,
  step: true,
  status: true,
  worker: true,
  olderThan: true,
} satisfies KnownOptions<ListTasksOptions>;

/** How many pages of tasks of other namespaces are passed over at once. */
const MOST_LOOKS = 20;

interface TaskPorts {
  source: Pick<TaskSource, 'list'>;
  insight: Pick<RunInsight, 'withoutPayloads'>;
  namespace: string;
}

/** A page of tasks, without those of other namespaces. */
export async function tasksPage(
  { source, insight, namespace }: TaskPorts,
  { group, step, status, worker, olderThan = 0, limit = 100, cursor }: ListTasksOptions,
): Promise<ListedTasksPage> {
  const query: TasksQuery = {
    group: group === undefined ? undefined : checkName(group, 'group'),
    name: step === undefined ? undefined : checkName(step, 'The name of a step'),
    worker: worker === undefined ? undefined : checkName(worker, 'The name of a worker'),
    status: status === undefined ? undefined : checkedOneOf(status, TASK_STATUSES, 'status'),
    olderThanMs: ageMs(olderThan, 'olderThan'),
    after: cursor === undefined ? undefined : taskPositionIn(cursor),
    limit: checkedLimit(limit, 100),
  };
  const byId = new Map<string, RunRecord>();
  const own: StoredTask[] = [];
  // As many in a row as a page has may be of other namespaces. What looks at tasks in vain goes on with the next call.
  for (let look = 0; look < MOST_LOOKS && own.length === 0; look++) {
    const { tasks, next } = await listed(source, query);
    for (const run of await insight.withoutPayloads([...new Set(tasks.map(({ runId }) => runId))]))
      byId.set(run.id, run);
    own.push(...tasks.filter(({ runId }) => (byId.get(runId)?.namespace ?? namespace) === namespace));
    query.after = next;
    if (!next || tasks.length === 0) break;
  }
  const { after: next } = query;
  return {
    tasks: own.map(({ runId, seq, name, group, attempt, status, worker, claimedAt, createdAt }) => ({
      workflowId: runId,
      workflow: byId.get(runId)?.workflow ?? null,
      seq,
      step: name,
      group,
      attempt,
      status,
      worker,
      claimedAt: dateOf(claimedAt),
      since: new Date(createdAt),
    })),
    ...(next && { cursor: cursorText({ group: next.group, createdAt: next.createdAt, stepId: next.stepId }) }),
  };
}

function listed(source: TaskPorts['source'], query: TasksQuery): Promise<StoredTasksPage> {
  if (source.list) return source.list(query);
  throw new ConfigurationError('The transport of this app has no `list`, so its tasks cannot be listed');
}

/** @throws InvalidArgumentError */
const taskPositionIn = (cursor: string): TaskPosition =>
  readCursor<TaskPosition>(
    cursor,
    ({ group, createdAt, stepId }) => Number.isSafeInteger(createdAt) && isStorable(group) && isStorable(stepId),
  );

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

interface WaitingPorts {
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
async function unservedTasks({ source, nodes, holds }: WaitingPorts, olderThanMs: number): Promise<WaitingGroup[]> {
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

/** A version of a workflow that open runs need, or that a process has. */
export interface VersionInUse {
  workflow: string;
  version: number;
  /** Runs that have not ended, of those that this page looked at. */
  runs: number;
  /** The processes that are alive and have its code. Nobody: its runs stand still until one is started. */
  servedBy: Pick<DurableNode, 'id' | 'host' | 'build'>[];
}

export interface VersionsInUsePage {
  /** By workflow and version. The first page has also those that a process has and no open run needs. */
  versions: VersionInUse[];
  /** For the next page; the numbers of all pages add up. */
  cursor?: string;
}

/** How many runs a page looks at. */
const SCANNED = 10_000;

interface VersionPorts {
  unfinished: Pick<UnfinishedRuns, 'versions'>;
  nodes: () => Promise<DurableNode[]>;
  namespace: string;
}

/** A part of all runs by the primary key: there is no index of open runs alone, and their number has no bound. */
export async function versionsInUse(
  { unfinished, nodes, namespace }: VersionPorts,
  cursor = '',
): Promise<VersionsInUsePage> {
  const { versions, next } = await unfinished.versions({ namespace, afterId: cursor, scan: SCANNED });
  const engines = (await nodes()).filter((node) => node.namespace === namespace && node.roles.includes('engine'));
  const known = new Set(versions.map(keyOf));
  const idle = cursor === '' ? servedVersions(engines).filter((one) => !known.has(keyOf(one))) : [];
  const all = [...versions, ...idle].map((one) => ({ ...one, servedBy: serversOf(one, engines) }));
  const byName = (a: VersionInUse, b: VersionInUse) =>
    a.workflow === b.workflow ? a.version - b.version : a.workflow < b.workflow ? -1 : 1;
  return { versions: all.sort(byName), ...(next !== undefined && { cursor: next }) };
}

interface Code {
  workflow: string;
  version: number;
}

const keyOf = ({ workflow, version }: Code): string => JSON.stringify([workflow, version]);

function servedVersions(engines: readonly DurableNode[]): (Code & { runs: number })[] {
  const served = engines.flatMap(({ serves: { workflows = {} } }) =>
    Object.entries(workflows).flatMap(([workflow, versions]) =>
      versions.map((version) => ({ workflow, version, runs: 0 })),
    ),
  );
  return [...new Map(served.map((one) => [keyOf(one), one])).values()];
}

const serversOf = ({ workflow, version }: Code, engines: readonly DurableNode[]): VersionInUse['servedBy'] =>
  engines
    .filter(
      ({ serves: { workflows = {} } }) => Object.hasOwn(workflows, workflow) && workflows[workflow]!.includes(version),
    )
    .map(({ id, host, build }) => ({ id, host, build }));
