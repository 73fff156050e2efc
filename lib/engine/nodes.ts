import { hostname } from 'node:os';
import { type ActedBy, acting, type ActLog, requiredOperator } from '../acts/acts.js';
import { UnsupportedServerError } from '../core/errors.js';
import { NodeNotFoundError } from '../core/run-errors.js';
import { type Clock, sleep, stopwatch } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import type { RunClaim } from './runs.js';
import type { DeadWorker, TaskDispatcher } from './tasks.js';

/** The queries of the sweep. */
export interface StrandedRuns {
  /** Returns the step ids that the next parked runs after this id wait for; `next` is undefined at the end. */
  awaited(
    afterId: string,
    limit: number,
  ): Promise<{ steps: { runId: string; stepId: string }[]; next: string | undefined }>;
  /** Makes parked runs due. */
  wake(runIds: readonly string[]): Promise<void>;
}

export interface StrandedSweepOptions {
  /** Called when runs were woken. */
  onWoken?: () => void;
  /** Measures the duration of a tick. Default: this process's monotonic clock. */
  elapsed?: Clock;
}

const PAGE = 1_000;
/** A tick begins no page after this time; the next tick continues there. So the cost per tick is bounded. */
const LOOK_MS = 500;

/**
 * Wakes parked runs whose task was deleted, which would otherwise wait forever: the process that plays such a run
 * dispatches its task again. It reads the runs page by page. Resident runs check their tasks themselves.
 */
export class StrandedSweep {
  private position = '';

  constructor(
    private readonly runs: StrandedRuns,
    private readonly dispatcher: TaskDispatcher,
    private readonly options: StrandedSweepOptions = {},
  ) {}

  /** Continues where the last tick ended, until the last run or the time limit. */
  async tick(): Promise<'idle'> {
    const { elapsed = stopwatch, onWoken } = this.options;
    const end = elapsed.now() + LOOK_MS;
    let woken = 0;
    do woken += await this.wakePage();
    while (this.position !== '' && elapsed.now() < end);
    if (woken > 0) onWoken?.();
    return 'idle';
  }

  /** Returns how many runs of the next page were woken. */
  private async wakePage(): Promise<number> {
    const { steps, next } = await this.runs.awaited(this.position, PAGE);
    this.position = next ?? '';
    const lost = new Set(steps.length === 0 ? [] : await this.dispatcher.lost(steps.map(({ stepId }) => stepId)));
    const stranded = [...new Set(steps.filter(({ stepId }) => lost.has(stepId)).map(({ runId }) => runId))];
    if (stranded.length > 0) await this.runs.wake(stranded);
    return stranded.length;
  }
}

/** What a process hears when it signs in or renews its lease. */
export interface Beat {
  /** The storage's clock. */
  now: number;
  /** Whether it must begin nothing new. */
  draining: boolean;
}

/** The result of a heartbeat. */
export interface Pulse extends Beat {
  /** The runs that this node owns according to the storage. */
  owned: RunClaim[];
  /** Whether runs are owned by nodes with an expired lease, or that never registered: see {@link NodeRoster.reap}. */
  orphans: boolean;
  /** Other nodes with workers whose leases have expired within the last minute, and that have not signed off. */
  lapsed: string[];
  /** When the lease of another node ends that has missed a heartbeat: the first of them. Infinity: there is none. */
  nextLapse: number;
  /** See {@link NodeRoster.elsewhere}. */
  elsewhere: Elsewhere[];
  /** The other engines of the namespace that have signed off or lapsed, and are remembered. */
  ended: EndedEngines;
}

/** Either number grows whenever one more has ended. */
export interface EndedEngines {
  count: number;
  /** When the last one ended, by the storage's clock; 0 if there is none. */
  lastAt: number;
}

/** A node whose last heartbeat went through another server than the one that was queried. */
export interface Elsewhere {
  nodeId: string;
  server: string;
  /** The server that was queried. */
  here: string;
  /** Grows with each beat. */
  expiresAt: number;
}

/** Where processes register as nodes with a lease, so that others notice when one has died. */
export interface NodeRoster {
  /**
   * Registers the node, with what it serves, or renews its lease, for `leaseMs`. A node that is back after its lease has
   * ended still drains.
   */
  beat(node: NodeIdentity, leaseMs: number): Promise<Beat>;
  /** Like `beat`, and reads the fields of {@link Pulse}. It runs all the time, so it must be cheap. */
  pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse>;
  /**
   * Releases up to `limit` runs of expired nodes, and counts each of these nodes among those that have ended inside of
   * the run, unless it was counted already. Returns how many runs.
   */
  reap(limit: number): Promise<number>;
  /** This node has not ended: these runs no longer count it. Returns how many of them had. */
  withdraw(nodeId: string, runIds: readonly string[]): Promise<number>;
  /** Live nodes whose last heartbeat went through another server of a cluster. Empty if unknown, or if allowed. */
  elsewhere(): Promise<Elsewhere[]>;
  /** Which of these nodes are signed in, and hold their leases: one read by key. */
  living(nodeIds: readonly string[]): Promise<string[]>;
  /**
   * Those of these nodes that have died for certain: the server has been up since their last heartbeat, and has none of
   * the sessions any more that they had then. None that may be frozen or cut off, that has signed in again, or whose
   * sessions this user cannot see.
   */
  dead(nodeIds: readonly string[]): Promise<DeadWorker[]>;
  /** Returns the nodes that are alive, and those that have ended and are still remembered. */
  nodes(): Promise<NodesInSight>;
  /**
   * Has a live node drain, or with null begin new work again; it hears of it at its next beat. A node that drains
   * already keeps its `since`. Returns how it drained before, or null; undefined without a live node of this name.
   */
  setDraining(nodeId: string, by: ActedBy | null, tx: Transaction): Promise<Drain | null | undefined>;
  /** Deletes nodes that expired more than {@link KEEP_LAPSED_MS} ago, or before {@link MOST_LAPSED} others. */
  strikeOff(): Promise<void>;
  /** Ends the node's lease at once. Until it is struck off, it is remembered as one that has signed off. */
  leave(nodeId: string): Promise<void>;
}

/** What a process serves. Absent: nothing of that kind. */
export interface Served {
  /** The versions of each workflow that it can play. */
  readonly workflows?: Readonly<Record<string, readonly number[]>>;
  /** A hash of the code of each workflow, by its version. */
  readonly codes?: Readonly<Record<string, Readonly<Record<number, string>>>>;
  /** The names of the remote steps that it runs, by the group from which it claims them. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** How many remote steps it runs at once. */
  readonly concurrency?: number;
  /** The destinations to which it publishes events; each process publishes the shards that it holds a lease of. */
  readonly destinations?: readonly string[];
  /** The handlers of the effect calls that it makes. */
  readonly effects?: readonly string[];
}

/** How much a process did at its last heartbeat. */
export interface NodeLoad {
  /** Remote steps that it was running, of the number that it runs at once. */
  readonly steps: number;
  /** Runs in its memory. */
  readonly residents: number;
  /** Of a hundred turns of its event loop, one or none was later than this, in ms. */
  readonly eventLoopP99Ms: number;
  /** Connections of its pool that any code of the app used, and how many calls waited for one; null if unknown. */
  readonly pool: { readonly used: number; readonly most: number | null; readonly waiting: number } | null;
  /** Errors of its background loops since it started; they go on. */
  readonly errors: number;
  /** Whether notifications wake it, or it finds work by polling alone. */
  readonly notifications: 'listening' | 'polling';
  /** Of its connections to the database: the number on the server, and the port on its side. Not in samples. */
  readonly sessions?: readonly Session[];
  /** The user of the database whose sessions they are. Absent behind a proxy, where the server knows them as others. */
  readonly sessionsOf?: string;
}

type Session = readonly [session: number, port: number];

/** A process as it signs in. */
export interface NodeIdentity {
  id: string;
  namespace: string;
  /** Of `engine`, `worker`, `relay` and `effects`, comma separated; or `transport`, a `DbTransport` of its own. */
  roles: string;
  serves?: Served;
  /** The version of this package. */
  version?: string;
  /** The app's own name of its build. */
  build?: string;
  /** Asked at each heartbeat. */
  load?: () => NodeLoad;
}

/** A process begins nothing new, lets what it has end or leave, and stays signed in until it is resumed. */
export interface Drain {
  /** Epoch ms of the storage's clock. */
  since: number;
  /** Who drains it, and why. */
  actor: string;
  reason: string;
}

/** A process as it is written down. Times are epoch ms of the storage's clock. */
export interface NodeRecord extends Omit<NodeIdentity, 'load'> {
  serves: Served;
  /** Null if it does not tell. */
  load: NodeLoad | null;
  host: string;
  pid: number;
  startedAt: number;
  /** Its last heartbeat. */
  seenAt: number;
  /** It is alive until then. */
  expiresAt: number;
  /** When it signed off; null for one that is alive, or died. */
  leftAt: number | null;
  /** Null: it may begin new work. */
  draining: Drain | null;
}

/** The processes that are alive, and those that were within {@link KEEP_LAPSED_MS}. */
export interface NodesInSight {
  /** The storage's clock. */
  now: number;
  /** At most {@link MOST_IN_SIGHT}, the last to expire first. */
  nodes: NodeRecord[];
}

/** How long a process that has ended is remembered, so that people can ask who served something last. */
export const KEEP_LAPSED_MS = 24 * 3_600_000;
/** Of more processes that have ended, only the last ones are remembered: an app may crash and start all day. */
export const MOST_LAPSED = 500;
export const MOST_IN_SIGHT = 2_000;

/** Where this process runs. */
export const processOf = (): Pick<NodeRecord, 'host' | 'pid'> => ({ host: hostname().slice(0, 255), pid: process.pid });

/** A name in each kind of things that processes serve. */
export type ServedThing =
  | { kind: 'workflow'; namespace: string; workflow: string; version: number }
  | { kind: 'group'; group: string; handler?: string }
  | { kind: 'effect'; handler: string };

/** Tasks and effects, unlike runs, are shared by all namespaces. */
export function isServing({ namespace, serves }: NodeRecord, thing: ServedThing): boolean {
  switch (thing.kind) {
    case 'workflow':
      return namespace === thing.namespace && !!own(serves.workflows, thing.workflow)?.includes(thing.version);
    case 'group': {
      const handlers = own(serves.groups, thing.group);
      return !!handlers && (thing.handler === undefined || handlers.includes(thing.handler));
    }
    case 'effect':
      return !!serves.effects?.includes(thing.handler);
  }
}

/** Names come from users, so that one may be that of a property of every object. */
const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;

/** A workflow and a version for which other processes have other code. */
export interface OtherCode {
  workflow: string;
  version: number;
  code: string;
  /** Those that have it, by their ids. */
  nodes: string[];
}

/**
 * Where live processes of a namespace have other code than this one for the same workflow and version. Only for the first
 * process with its code, and only where the other code was there before: so one of all processes knows of two codes.
 */
export function otherCodes({ nodes, now }: NodesInSight, nodeId: string): OtherCode[] {
  const me = nodes.find(({ id }) => id === nodeId);
  if (!me?.serves.codes) return [];
  const alive = nodes
    .filter((node) => node.namespace === me.namespace && isAlive(node, now))
    .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  return Object.entries(me.serves.codes).flatMap(([workflow, versions]) =>
    Object.entries(versions).flatMap(([version, mine]) => {
      const byCode = new Map<string, string[]>();
      for (const { id, serves } of alive) {
        const code = own(serves.codes, workflow)?.[Number(version)];
        if (code !== undefined) byCode.set(code, [...(byCode.get(code) ?? []), id]);
      }
      // In the order of their first processes.
      const codes = [...byCode.keys()];
      const before = byCode.get(mine)?.[0] === me.id ? codes.slice(0, codes.indexOf(mine)) : [];
      return before.map((code) => ({ workflow, version: Number(version), code, nodes: byCode.get(code)! }));
    }),
  );
}

/** The versions of a workflow that processes of a namespace serve, and their processes, newest first. */
export function otherVersions(
  nodes: readonly NodeRecord[],
  { namespace, workflow }: { namespace: string; workflow: string },
): [version: number, ids: string[]][] {
  const found = new Map<number, string[]>();
  for (const node of nodes) {
    if (node.namespace !== namespace) continue;
    for (const version of own(node.serves.workflows, workflow) ?? [])
      found.set(version, [...(found.get(version) ?? []), node.id]);
  }
  return [...found].sort(([a], [b]) => b - a);
}

export const isAlive = ({ expiresAt }: NodeRecord, now: number): boolean => expiresAt > now;

/**
 * Others end the sessions of a process that was silent for `since`, and that they have watched for half its lease, at
 * least for `watched`. Looks are 5 s apart; one that comes later may come from a process that stood still itself.
 */
export const SILENT_MS = { since: 20_000, watched: 10_000, step: 6_000 };
/** Numbers of sessions are used again some time, and no session of a process that has died lives for long. */
const FORGOTTEN_MS = 600_000;

type Ends = { session: number; port: number };
type Owned = Ends & { all: readonly Session[] };
/** At `at` by the clock of who watches, it had been watched for `forMs` with this heartbeat as the last one. */
type Watched = { seenAt: number; at: number; forMs: number };

/**
 * Ends sessions that are in the way, of processes that have died or stand still. The clock of the database may jump, and
 * nobody may have been able to renew a lease for a while: each process watches another one by its own clock.
 */
export class SessionsOfGone {
  private watched = new Map<string, Watched>();

  constructor(
    private readonly roster: Pick<NodeRoster, 'nodes'>,
    private readonly end: (session: Owned) => Promise<boolean>,
    private readonly watch: Clock = stopwatch,
  ) {}

  /**
   * To be called every few seconds while others wait for them. One that has signed off finishes what it began. Tells of
   * each that was ended, with the id of its process.
   *
   * @throws DatabaseError
   */
  async endAmong<Holder extends Ends>(
    holders: readonly Holder[],
    ended: (holder: Holder, nodeId: string) => void,
  ): Promise<void> {
    const { nodes, now } = await this.roster.nodes();
    const ownersOf = (holder: Ends) => nodes.filter((node) => sessionsOf(node).some((own) => isSame(own, holder)));
    const owned = holders.map((holder) => ({ holder, owners: ownersOf(holder) }));
    this.watched = new Map(owned.flatMap(({ owners }) => owners).map((node) => [node.id, this.look(node)]));
    const isGone = (node: NodeRecord) =>
      isSilent(node, now) && this.watched.get(node.id)!.forMs >= Math.max(SILENT_MS.watched, leaseOf(node) / 2);
    for (const { holder, owners } of owned) {
      const [owner] = owners;
      if (!owner || !owners.every(isGone)) continue;
      const { session, port } = holder;
      if (await this.end({ session, port, all: owners.flatMap(sessionsOf) })) ended(holder, owner.id);
    }
  }

  private look({ id, seenAt }: NodeRecord): Watched {
    const at = this.watch.now();
    const before = this.watched.get(id);
    const forMs = before?.seenAt === seenAt ? before.forMs + Math.min(at - before.at, SILENT_MS.step) : 0;
    return { seenAt, at, forMs };
  }
}

const sessionsOf = ({ load }: NodeRecord): readonly Session[] => load?.sessions ?? [];
const isSame = ([session, port]: Session, ends: Ends): boolean => session === ends.session && port === ends.port;
const leaseOf = ({ seenAt, expiresAt }: NodeRecord): number => expiresAt - seenAt;

const isSilent = (node: NodeRecord, now: number): boolean => {
  const silentMs = now - node.seenAt;
  return node.leftAt === null && !isAlive(node, now) && silentMs > SILENT_MS.since && silentMs < FORGOTTEN_MS;
};

/** When a process that has ended was last there. */
export const endedAt = ({ leftAt, seenAt }: NodeRecord): number => leftAt ?? seenAt;

/** What a process has counted in a minute. */
export interface StoredSample {
  /** The minute that had begun when it was written, epoch ms by the storage's clock. */
  minute: number;
  node: string;
  /** JSON text. */
  body: string;
}

export interface SamplesQuery {
  /** Undefined: of all. */
  namespace?: string;
  /** Epoch ms: not before this minute. */
  from: number;
  /** Epoch ms: before this minute. */
  until: number;
  limit: number;
  /** Which ones, if there are more than `limit`. Default: the first. */
  keep?: 'first' | 'last';
}

/** Stores what processes count, for graphs. */
export interface SampleStore {
  /** Writes the sample of this minute; one of the same node that is there already is kept. */
  write(sample: { namespace: string; node: string; body: string }): Promise<void>;
  /** By minute and node. */
  range(query: SamplesQuery): Promise<StoredSample[]>;
  /** Deletes up to `limit` samples that are at least this old, of all namespaces, oldest first. Returns how many. */
  purge(olderThanMs: number, limit: number): Promise<number>;
}

export const MINUTE_MS = 60_000;

/** A process that has a role: it plays workflows, runs remote steps, publishes events or makes effect calls. */
export interface DurableNode {
  /** Its name in leases, claims and log lines; another one after each start. */
  id: string;
  /** Of its app. Only workflows belong to a namespace: groups and effects are shared by all. */
  namespace: string;
  host: string;
  pid: number;
  roles: ('engine' | 'worker' | 'relay' | 'effects' | 'transport')[];
  /** What it has code for. */
  serves: Served;
  /** The version of nest-durable. */
  version: string | null;
  /** The option `build`. */
  build: string | null;
  /** How much it did at its last heartbeat; null if it has ended, or its version does not tell. */
  load: NodeLoad | null;
  startedAt: Date;
  /** Its last heartbeat; there is one every few seconds. */
  seenAt: Date;
  alive: boolean;
  /** When it signed off or, if it died, its last heartbeat; null while it is alive. */
  endedAt: Date | null;
  /** Whether it ended without signing off: it was killed, or has lost its database. */
  lost: boolean;
  /** Since when it begins nothing new, who had it drain, and why; null: it may begin new work, or has ended. */
  draining: { since: Date; actor: string; reason: string } | null;
}

/** Those that started first come first. `ended`: also those that have ended. */
export async function listNodes(roster: Pick<NodeRoster, 'nodes'>, ended: boolean): Promise<DurableNode[]> {
  const { now, nodes } = await roster.nodes();
  const listed = nodes.filter((node) => ended || isAlive(node, now));
  return listed.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1)).map((node) => viewOf(node, now));
}

function viewOf(node: NodeRecord, now: number): DurableNode {
  const { id, namespace, host, pid, roles, serves, version = null, build = null } = node;
  const alive = isAlive(node, now);
  return {
    id,
    namespace,
    host,
    pid,
    serves,
    version,
    build,
    alive,
    load: alive && node.load ? withoutUser(node.load) : null,
    roles: roles.split(',').filter((role): role is DurableNode['roles'][number] => role !== ''),
    startedAt: new Date(node.startedAt),
    seenAt: new Date(node.seenAt),
    endedAt: alive ? null : new Date(endedAt(node)),
    lost: !alive && node.leftAt === null,
    draining: alive && node.draining ? { ...node.draining, since: new Date(node.draining.since) } : null,
  };
}

/** For the processes alone. */
const withoutUser = ({ sessionsOf: _, ...load }: NodeLoad): NodeLoad => load;

/** One beat that was in progress when its server died may arrive late; a second one cannot. */
const BEATS = 2;

/**
 * Distinguishes a cluster that is written through several servers from a failover: after a failover, nodes on the old
 * server stop beating or move to the new one.
 */
export class WriterWatch {
  private seen = new Map<string, Elsewhere & { beats: number }>();

  /** Returns the nodes that have kept beating through another server since they were first seen there. */
  look(elsewhere: readonly Elsewhere[]): Elsewhere[] {
    const before = this.seen;
    this.seen = new Map(
      elsewhere.map((node) => {
        const known = before.get(node.nodeId);
        const same = known?.server === node.server && known.here === node.here ? known : undefined;
        const beats = same ? same.beats + (node.expiresAt > same.expiresAt ? 1 : 0) : 0;
        return [node.nodeId, { ...node, beats }];
      }),
    );
    return [...this.seen.values()].filter(({ beats }) => beats >= BEATS);
  }
}

/**
 * Waits until no node writes through another server than this process: all have moved here, expired, or ended.
 *
 * @throws UnsupportedServerError when a node keeps doing so.
 */
export async function requireOneWriter(roster: Pick<NodeRoster, 'elsewhere'>, everyMs: number): Promise<void> {
  const watch = new WriterWatch();
  for (;;) {
    const elsewhere = await roster.elsewhere();
    const [other] = watch.look(elsewhere);
    if (other) throw severalWriters(other);
    if (elsewhere.length === 0) return;
    await sleep(everyMs);
  }
}

const severalWriters = ({ nodeId, server, here }: Elsewhere): UnsupportedServerError =>
  new UnsupportedServerError(
    `Process "${nodeId}" writes through ${server}, this process through ${here}: in a cluster a row lock holds on one ` +
      'server only, so a write through another server can ignore it. Route all processes, ' +
      'reads included, to one writer (one hostgroup of ProxySQL, readconnroute of MaxScale, one active backend of ' +
      'HAProxy), and close connections to the old one after a failover. To continue anyway, at your own risk, set ' +
      'NEST_DURABLE_ALLOW_UNSUPPORTED_SERVER=1. See https://mariadb.com/docs/galera-cluster/reference/mariadb-galera-cluster-known-limitations',
  );

interface Ports {
  roster: Pick<NodeRoster, 'setDraining'>;
  acts: ActLog;
}

/** One transaction with its act. Returns whether it was draining already. @throws NodeNotFoundError */
export const drainNode = (ports: Ports, nodeId: string, by: ActedBy): Promise<boolean> =>
  change(ports, nodeId, by, 'drain', (was) => (was ? 'changed' : 'draining'));

/** One transaction with its act. Returns whether it was draining. @throws NodeNotFoundError */
export const resumeNode = (ports: Ports, nodeId: string, by: ActedBy): Promise<boolean> =>
  change(ports, nodeId, by, 'resume', (was) => (was ? 'resumed' : 'missing'));

async function change(
  { roster, acts }: Ports,
  nodeId: string,
  given: ActedBy,
  action: 'drain' | 'resume',
  outcomeOf: (was: boolean) => string,
): Promise<boolean> {
  const by = requiredOperator(given);
  const deed = {
    ...({ action, kind: 'node', target: nodeId, namespace: null } as const),
    outcome: (before: Drain | null) => ({
      outcome: outcomeOf(before !== null),
      ...(before && { details: { before } }),
    }),
  };
  const before = await acting(acts, by, undefined, deed, async (tx) => {
    const found = await roster.setDraining(nodeId, action === 'drain' ? by : null, tx!);
    if (found === undefined) throw new NodeNotFoundError(nodeId);
    return found;
  });
  return before !== null;
}
