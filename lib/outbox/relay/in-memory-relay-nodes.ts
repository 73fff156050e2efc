import { OutboxOccupiedError } from '../../errors.js';
import type { MemoryOutbox } from './memory-outbox.js';
import { isOurNode, type RelayNodes } from './relay-nodes.js';

/** Nodes in a map. */
export class InMemoryRelayNodes implements RelayNodes {
  constructor(private readonly tables: MemoryOutbox) {}

  async admit(): Promise<void> {
    const foreign = this.live().find((id) => !isOurNode(id));
    if (foreign !== undefined) throw new OutboxOccupiedError(foreign);
  }

  async beat(nodeId: string, timeoutMs: number): Promise<string[]> {
    const { nodes, clock } = this.tables;
    nodes.set(nodeId, clock.now() + timeoutMs);
    for (const [id, expiry] of nodes) if (expiry <= clock.now()) nodes.delete(id);
    return this.live();
  }

  async lookAtEra(): Promise<undefined> {
    return undefined;
  }

  async leave(nodeId: string): Promise<void> {
    this.tables.nodes.delete(nodeId);
  }

  private live(): string[] {
    const now = this.tables.clock.now();
    return [...this.tables.nodes].flatMap(([id, expiry]) => (expiry > now ? [id] : [])).sort();
  }
}
