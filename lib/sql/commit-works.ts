/**
 * Calls what waits for a commit, all of it at once; what is added meanwhile comes after. None is under way any more
 * when this ends, whatever failed.
 *
 * @throws the first error.
 */
export async function runCommitWorks(take: () => readonly (() => Promise<void>)[]): Promise<void> {
  for (let works = take(); works.length > 0; works = take()) {
    const outcomes = await Promise.allSettled(works.map((work) => work()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
