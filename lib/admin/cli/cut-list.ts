export interface CutList<Row> {
  rows: readonly Row[];
  /** Whether these are all. */
  complete: boolean;
}

/** The first rows of a list, of which one more is asked for, to know whether there are more; at most `most` at once. */
export async function cutList<Row>(
  { limit, most }: { limit: number; most: number },
  ask: (limit: number) => Promise<readonly Row[]>,
): Promise<CutList<Row>> {
  const found = await ask(Math.min(limit + 1, most));
  // At the most, nobody can tell.
  return { rows: found.slice(0, limit), complete: found.length <= limit && found.length < most };
}
