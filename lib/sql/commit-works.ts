/**
 * Calls all works that wait for a commit at once, then those that were added meanwhile. When this ends, no work is
 * running, even after a failure.
 *
 * @throws the first error.
 */
export async function runCommitWorks(take: () => readonly (() => Promise<void>)[]): Promise<void> {
  for (let works = take(); works.length > 0; works = take()) {
    const outcomes = await Promise.allSettled(works.map((work) => work()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
