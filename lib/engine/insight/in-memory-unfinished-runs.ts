import type { HeldRun, MemoryTables } from '../tables/memory-tables.js';
import { type ClaimedRun, isFinal } from '../model/run.js';
import type { UnfinishedPage, UnfinishedRuns } from '../model/unfinished-runs.js';

/** Runs that have not ended, in memory. */
export class InMemoryUnfinishedRuns implements UnfinishedRuns {
  constructor(private readonly tables: MemoryTables) {}

  async page({ namespace, afterId, scan }: Parameters<UnfinishedRuns['page']>[0]): Promise<UnfinishedPage> {
    const scanned = [...this.tables.runs.values()]
      .filter(({ id }) => id > afterId)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, scan);
    const runs = scanned.filter((run) => run.namespace === namespace && !isFinal(run.status)).map(claimedOf);
    return { runs, next: scanned.length < scan ? undefined : scanned.at(-1)?.id };
  }
}

function claimedOf(run: HeldRun): ClaimedRun {
  const { id, workflow, version, input, epoch, crashes, deadline } = run;
  const { closing, error, notifies, unwinds, precondition, firstSeq, continuedAt, createdAt } = run;
  const what = { id, workflow, version, input, epoch, crashes, deadline };
  return { ...what, closing, error, notifies, unwinds, precondition, firstSeq, since: continuedAt ?? createdAt };
}
