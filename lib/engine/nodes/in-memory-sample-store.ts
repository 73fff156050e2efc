import type { Clock } from '../../time/clock.js';
import { MINUTE_MS, type SampleStore, type SamplesQuery, type StoredSample } from '../model/sample-store.js';
import type { MemoryTables } from '../tables/memory-tables.js';

/** The counterpart of `SqlSampleStore`. A file does not keep samples. */
export class InMemorySampleStore implements SampleStore {
  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

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
