import type { ActedBy } from '../../acts/act.js';
import {
  type Drain,
  KEEP_LAPSED_MS,
  MOST_LAPSED,
  type NodeIdentity,
  type NodeRecord,
  type NodesInSight,
  processOf,
} from '../model/node-record.js';
import type { Beat } from '../model/node-roster.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import type { Clock } from '../../time/clock.js';

/** The processes that share a storage in memory. */
export class InMemoryNodes {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {}

  beat({ serves = {}, load, ...node }: NodeIdentity, leaseMs: number): Beat {
    const now = this.clock.now();
    const fresh = { ...node, ...processOf(), serves, load: null, startedAt: now, draining: null };
    const known = this.tables.nodes.get(node.id) ?? fresh;
    this.tables.nodes.set(node.id, {
      ...known,
      serves,
      load: load?.() ?? null,
      seenAt: now,
      expiresAt: now + leaseMs,
      leftAt: null,
    });
    return { now, draining: known.draining !== null };
  }

  lives(nodeId: string): boolean {
    return (this.tables.nodes.get(nodeId)?.expiresAt ?? 0) > this.clock.now();
  }

  inSight(): NodesInSight {
    return { now: this.clock.now(), nodes: [...this.tables.nodes.values()].sort(lastFirst) };
  }

  setDraining(nodeId: string, by: ActedBy | null): Drain | null | undefined {
    const node = this.tables.nodes.get(nodeId);
    if (!node || !this.lives(nodeId)) return undefined;
    const draining = by && { since: node.draining?.since ?? this.clock.now(), actor: by.actor, reason: by.reason };
    this.tables.nodes.set(nodeId, { ...node, draining });
    return node.draining;
  }

  strikeOff(): void {
    const now = this.clock.now();
    const lapsed = [...this.tables.nodes.values()].filter(({ id }) => !this.lives(id)).sort(lastFirst);
    const forgotten = lapsed.filter(({ expiresAt }, rank) => rank >= MOST_LAPSED || expiresAt <= now - KEEP_LAPSED_MS);
    for (const { id } of forgotten) this.tables.nodes.delete(id);
  }

  leave(nodeId: string): void {
    const node = this.tables.nodes.get(nodeId);
    const now = this.clock.now();
    if (node) this.tables.nodes.set(nodeId, { ...node, expiresAt: now, leftAt: now });
  }
}

const lastFirst = (a: NodeRecord, b: NodeRecord): number => b.expiresAt - a.expiresAt || (a.id < b.id ? -1 : 1);
