import type { MemoryTables } from '../tables/memory-tables.js';
import type { EffectWaits, OperationWaiter } from '../model/effect-waits.js';

export class InMemoryEffectWaits implements EffectWaits {
  constructor(private readonly tables: MemoryTables) {}

  async waiting(channel: string): Promise<OperationWaiter[]> {
    const waits = [...this.tables.waits.values()].filter((wait) => wait.channel === channel);
    return waits.map(({ stepId, runId, seq }) => ({ stepId, runId, seq }));
  }
}
