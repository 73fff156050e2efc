import { hostname } from 'node:os';

/** What a process serves. Absent: nothing of that kind. */
export interface Served {
  /** The versions of each workflow that it can play. */
  readonly workflows?: Readonly<Record<string, readonly number[]>>;
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
}

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

/** When a process that has ended was last there. */
export const endedAt = ({ leftAt, seenAt }: NodeRecord): number => leftAt ?? seenAt;
