import type { ClaimedRun } from './run.js';

export interface UnfinishedPage {
  /** As somebody who takes them would see them. In the order of their ids. */
  runs: ClaimedRun[];
  /** Where the next page begins; undefined when there is none. A page may be empty all the same. */
  next: string | undefined;
}

/** All runs that have not ended, for whoever looks at each of them once. */
export interface UnfinishedRuns {
  /**
   * Looks at up to `scan` runs whose ids come after `afterId`, whatever became of them, and answers those that have not
   * ended. Locks nothing and changes nothing; each page sees what is there when it is read.
   */
  page(query: { namespace: string; afterId: string; scan: number }): Promise<UnfinishedPage>;
}
