import { StatementTooLargeError } from '../errors.js';
import type { SqlConnection, SqlResult } from './sql-executor.js';
import type { Statement } from './dialects/statement.js';

/** So that no single statement takes long enough for a `statement_timeout` of some seconds. */
export const MOST_ROWS = 2_000;

/**
 * Runs a statement over rows, once where the server takes all of them in one, else over parts of them, in their order.
 * The rows that it answers are those of all parts. Only a transaction makes several parts one write.
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
 * Does work with all items at once, or, where a statement of it is refused as too large, with the first and then with
 * the second half of them, and so on. Returns what each part came to. Until that statement the work must change nothing.
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

/** Refused before it was sent, or too long even for a text of this process. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof StatementTooLargeError ||
  (error instanceof RangeError && error.message.includes('Invalid string length'));

const joined = <Row>(answers: readonly SqlResult<Row>[]): SqlResult<Row> => ({
  rows: answers.flatMap(({ rows }) => rows),
  affected: answers.reduce((sum, { affected }) => sum + affected, 0),
});
