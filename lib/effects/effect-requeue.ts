/** A second chance for what was abandoned. */
export interface EffectRequeue {
  /**
   * Makes these abandoned entries pending again, with no attempts, no error and their old ids, and records it. Ids that
   * are unknown, not abandoned, or whose payload was erased are skipped. All others or, when it throws, none. Answers
   * the requeued ones.
   */
  requeue(entryIds: readonly string[]): Promise<string[]>;
}
