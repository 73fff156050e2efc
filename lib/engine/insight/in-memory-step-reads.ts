import { MOST_LINES } from '../model/run-insight.js';
import type { ClaimedRun } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import type { StepReads } from '../model/step-reads.js';
import { claimedOf, type MemoryTables } from '../tables/memory-tables.js';

/** Reads the history of one run from memory. */
export class InMemoryStepReads implements StepReads {
  constructor(private readonly tables: MemoryTables) {}

  async claimed(runId: string): Promise<ClaimedRun | undefined> {
    const run = this.tables.runs.get(runId);
    return run && claimedOf(run);
  }

  async firstSeq(runId: string): Promise<number | undefined> {
    return this.tables.runs.get(runId)?.firstSeq;
  }

  async lastSettled(runId: string): Promise<number> {
    return this.tables.history(runId).reduce((most, { settled }) => Math.max(most, settled ?? 0), 0);
  }

  async page({ runId, after, limit, payloads = false }: Parameters<StepReads['page']>[0]): Promise<StepRecord[]> {
    const steps = this.tables.history(runId).filter(({ seq }) => seq > after);
    const page = steps.sort((a, b) => a.seq - b.seq).slice(0, limit);
    return page.map((step) => (payloads ? { ...step } : factsOf(step)));
  }

  async settledAfter({ runId, settled, limit }: Parameters<StepReads['settledAfter']>[0]): Promise<StepRecord[]> {
    const later = this.tables.history(runId).filter((step) => (step.settled ?? 0) > settled);
    return later
      .sort((a, b) => a.settled! - b.settled!)
      .slice(0, limit)
      .map(factsOf);
  }

  async open(runId: string, limit: number): Promise<StepRecord[]> {
    const open = this.tables.history(runId).filter(({ settled, kind }) => settled === null && kind !== 'marker');
    return open
      .sort((a, b) => askedAt(b) - askedAt(a) || b.seq - a.seq)
      .slice(0, limit)
      .map(({ input: _input, ...step }) => step);
  }

  async lineCounts({ runId, from, to }: Parameters<StepReads['lineCounts']>[0]): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>();
    for (const { seq } of (this.tables.logs.get(runId) ?? []).slice(0, MOST_LINES))
      if (seq !== null && seq >= from && seq <= to) counts.set(seq, (counts.get(seq) ?? 0) + 1);
    return counts;
  }
}

const askedAt = (step: StepRecord): number => step.askedAt ?? step.createdAt;

const factsOf = ({ input: _input, ...step }: StepRecord): StepRecord => ({ ...step, output: null });
