export interface PruneRequest {
  /** How long events stay after they were written, ms. */
  retainMs: number;
  /** The number behind which the look begins; `'0'` for the first. */
  after: string;
  /** How many rows it looks at, and removes at the most. */
  limit: number;
}

export interface Pruned {
  removed: number;
  /** Where to go on; undefined when there is nothing old enough behind. */
  next: string | undefined;
}

/** Removes events that were delivered, once they are old enough. */
export interface EventPruning {
  /**
   * Looks at the first `limit` events behind a number and removes those that have been processed and are older than
   * `retainMs`. How far each channel was removed is written in the same commit, and never decreases. The newest event of
   * all stays. Of two at once both may do the same.
   */
  prune(request: PruneRequest): Promise<Pruned>;
}
