import { StatementTooLargeError } from '../errors/database-errors.js';
import type { SqlConnection, SqlResult } from './sql-executor.js';
import type { Statement } from './dialects/statement.js';

/** Keeps each statement short enough for a `statement_timeout` of some seconds. */
export const MOST_ROWS = 2_000;

/**
 * Runs a statement over rows: once if the server accepts all of them, otherwise in parts, in order. Returns the rows of
 * all parts. Several parts are atomic only inside a transaction.
 *
 * @throws StatementTooLargeError when a single row is too large.
 */
export async function inParts<Row, Item>(
  connection: SqlConnection,
  items: readonly Item[],
  statementOf: (items: readonly Item[]) => Statement,
): Promise<SqlResult<Row>> {
  if (items.length > MOST_ROWS) {
    const answers: SqlResult<Row>[] = [];
    for (let at = 0; at < items.length; at += MOST_ROWS)
      answers.push(await inParts<Row, Item>(connection, items.slice(at, at + MOST_ROWS), statementOf));
    return joined(answers);
  }
  return joined(await inHalves(items, (some) => connection.run<Row>(statementOf(some))));
}

/**
 * Calls `work` with all items. If a statement is rejected as too large, calls it with each half, recursively. Returns
 * the result of each part. Before that statement, `work` must change nothing.
 *
 * @throws StatementTooLargeError when a single item is too large.
 */
export async function inHalves<Item, Answer>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Answer>,
): Promise<Answer[]> {
  try {
    return [await work(items)];
  } catch (error) {
    if (items.length < 2 || !isTooLarge(error)) throw error;
    const half = Math.ceil(items.length / 2);
    const first = await inHalves(items.slice(0, half), work);
    return [...first, ...(await inHalves(items.slice(half), work))];
  }
}

/** Rejected before it was sent, or longer than the maximum string of this process. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof StatementTooLargeError ||
  (error instanceof RangeError && error.message.includes('Invalid string length'));

const joined = <Row>(answers: readonly SqlResult<Row>[]): SqlResult<Row> => ({
  rows: answers.flatMap(({ rows }) => rows),
  affected: answers.reduce((sum, { affected }) => sum + affected, 0),
});
