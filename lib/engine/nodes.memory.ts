import type { ActedBy } from '../acts/acts.js';
import {
  type Beat,
  type Drain,
  type Elsewhere,
  type EndedEngines,
  KEEP_LAPSED_MS,
  MINUTE_MS,
  MOST_LAPSED,
  type NodeIdentity,
  type NodeRecord,
  type NodesInSight,
  processOf,
  type SamplesQuery,
  type SampleStore,
  type StoredSample,
} from './nodes.js';
import { InMemoryAdapter } from './tables.memory.js';
import type { DeadWorker } from './tasks.js';

/** The processes that share a storage in memory. */
export abstract class InMemoryNodes extends InMemoryAdapter {
  async beat({ serves = {}, load, ...node }: NodeIdentity, leaseMs: number): Promise<Beat> {
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

  protected lives(nodeId: string): boolean {
    return (this.tables.nodes.get(nodeId)?.expiresAt ?? 0) > this.clock.now();
  }

  protected endedBeside({ id, namespace }: NodeIdentity): EndedEngines {
    const engines = [...this.tables.nodes.values()].filter(({ roles }) => roles.includes('engine'));
    const others = engines.filter((node) => node.id !== id && node.namespace === namespace && !this.lives(node.id));
    return { count: others.length, lastAt: Math.max(0, ...others.map(({ expiresAt }) => expiresAt)) };
  }

  protected lapsedBeside({ id }: NodeIdentity): string[] {
    const since = this.clock.now() - MINUTE_MS;
    return [...this.tables.nodes.values()]
      .filter((node) => node.id !== id && node.roles.includes('worker') && node.leftAt === null)
      .filter((node) => !this.lives(node.id) && node.expiresAt > since)
      .map((node) => node.id);
  }

  protected nextLapseBeside({ id }: NodeIdentity): number {
    const now = this.clock.now();
    const late = [...this.tables.nodes.values()].filter(
      (node) => node.id !== id && node.expiresAt > now && node.expiresAt - now < (node.expiresAt - node.seenAt) / 2,
    );
    return Math.min(Infinity, ...late.map(({ expiresAt }) => expiresAt));
  }

  async elsewhere(): Promise<Elsewhere[]> {
    return [];
  }

  async living(nodeIds: readonly string[]): Promise<string[]> {
    return nodeIds.filter((id) => this.lives(id));
  }

  /** No sessions tell of a death here. */
  async dead(_nodeIds: readonly string[]): Promise<DeadWorker[]> {
    return [];
  }

  async nodes(): Promise<NodesInSight> {
    return { now: this.clock.now(), nodes: [...this.tables.nodes.values()].sort(lastFirst) };
  }

  async setDraining(nodeId: string, by: ActedBy | null): Promise<Drain | null | undefined> {
    const node = this.tables.nodes.get(nodeId);
    if (!node || !this.lives(nodeId)) return undefined;
    const draining = by && { since: node.draining?.since ?? this.clock.now(), actor: by.actor, reason: by.reason };
    this.tables.nodes.set(nodeId, { ...node, draining });
    return node.draining;
  }

  async strikeOff(): Promise<void> {
    const now = this.clock.now();
    const lapsed = [...this.tables.nodes.values()].filter(({ id }) => !this.lives(id)).sort(lastFirst);
    const forgotten = lapsed.filter(({ expiresAt }, rank) => rank >= MOST_LAPSED || expiresAt <= now - KEEP_LAPSED_MS);
    for (const { id } of forgotten) this.tables.nodes.delete(id);
  }

  async leave(nodeId: string): Promise<void> {
    const node = this.tables.nodes.get(nodeId);
    const now = this.clock.now();
    if (node) this.tables.nodes.set(nodeId, { ...node, expiresAt: now, leftAt: now });
  }
}

const lastFirst = (a: NodeRecord, b: NodeRecord): number => b.expiresAt - a.expiresAt || (a.id < b.id ? -1 : 1);

/** The counterpart of `SqlSampleStore`. A file does not keep samples. */
export class InMemorySampleStore extends InMemoryAdapter implements SampleStore {
  async write({ namespace, node, body }: { namespace: string; node: string; body: string }): Promise<void> {
    const now = this.clock.now();
    const minute = now - (now % MINUTE_MS);
    const key = keyOf({ minute, node });
    if (!this.tables.samples.has(key)) this.tables.samples.set(key, { minute, node, namespace, body });
  }

  async range({ namespace, from, until, limit, keep }: SamplesQuery): Promise<StoredSample[]> {
    const found = this.sorted().filter(
      (sample) =>
        (namespace === undefined || sample.namespace === namespace) && sample.minute >= from && sample.minute < until,
    );
    return found
      .slice(...(keep === 'last' ? [-limit] : [0, limit]))
      .map(({ minute, node, body }) => ({ minute, node, body }));
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const before = this.clock.now() - olderThanMs;
    const old = this.sorted().filter(({ minute }) => minute <= before);
    return old.slice(0, limit).filter((sample) => this.tables.samples.delete(keyOf(sample))).length;
  }

  private sorted() {
    return [...this.tables.samples.values()].sort((a, b) => a.minute - b.minute || (a.node < b.node ? -1 : 1));
  }
}

const keyOf = ({ minute, node }: { minute: number; node: string }): string => JSON.stringify([minute, node]);
