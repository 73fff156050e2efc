import { endedAt, isAlive, type NodeLoad, type NodeRecord, type Served } from '../model/node-record.js';
import type { NodeRoster } from '../model/node-roster.js';

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
    load: alive ? node.load : null,
    roles: roles.split(',').filter((role): role is DurableNode['roles'][number] => role !== ''),
    startedAt: new Date(node.startedAt),
    seenAt: new Date(node.seenAt),
    endedAt: alive ? null : new Date(endedAt(node)),
    lost: !alive && node.leftAt === null,
    draining: alive && node.draining ? { ...node.draining, since: new Date(node.draining.since) } : null,
  };
}
