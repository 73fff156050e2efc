import { afterCommit, type Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import { MemoryTables } from '../tables/memory-tables.js';
import { listMemory } from '../insight/in-memory-run-listing.js';
import { startInMemory } from '../starts/in-memory-run-starter.js';
import type { RunCatalog } from '../model/run-catalog.js';
import type { ListedRuns, ListRuns } from '../model/run-insight.js';
import type { NewRun, RunRecord } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';

/** The client's access to runs, in memory. */
export class InMemoryRunCatalog implements RunCatalog {
  constructor(
    private readonly clock: Clock,
    private readonly tables = new MemoryTables(),
  ) {}

  async create(runs: readonly NewRun[], tx?: Transaction): Promise<{ created: boolean; run: RunRecord }[]> {
    afterCommit(tx, () => queueMicrotask(() => this.tables.tellDue()));
    return runs.map((asked) => {
      const { created, run } = startInMemory(this.tables, asked, this.clock.now());
      return { created, run: { ...run } };
    });
  }

  async find(ids: readonly string[]): Promise<RunRecord[]> {
    return ids.flatMap((id) => this.tables.runs.get(id) ?? []).map((run) => ({ ...run }));
  }

  async contexts(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const held = ids.map((id) => [id, this.tables.runs.get(id)?.context] as const);
    return new Map(held.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return this.tables.history(runId).map((step) => ({ ...step }));
  }

  async step(runId: string, seq: number): Promise<StepRecord | undefined> {
    const step = this.tables.steps.get(runId)?.get(seq);
    return step && { ...step };
  }

  async list(query: ListRuns): Promise<ListedRuns> {
    return listMemory(this.tables, query);
  }

  onFinished(listener: (ids?: readonly string[]) => void): () => void {
    this.tables.finishedListeners.add(listener);
    return () => void this.tables.finishedListeners.delete(listener);
  }
}
