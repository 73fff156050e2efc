import { StatementTooLargeError } from '../errors/database-errors.js';
import { byFamily, type Dialect, type RenderedStatement } from './dialects/dialect.js';
import type { DriverConnection } from './driver-connection.js';
import { sql } from './dialects/statement.js';
import type { SqlConnection } from './sql-executor.js';

/** Half of the smallest `max_allowed_packet` in practice: shorter statements are sent without a check. */
const SENT_UNASKED = 512 * 1024;
/** Allows for what a driver adds around the values. */
const AROUND = 4_096;
const AROUND_VALUE = 16;
/** PostgreSQL accepts 1 GB per value, JavaScript strings end at half of that. */
const LARGEST_ON_POSTGRES = 256 * 1024 * 1024;

type Asked = Pick<DriverConnection, 'execute' | 'interpolates'> & { largest?: number };

/**
 * Rejects statements that the server would reject: MySQL and MariaDB respond to a packet above `max_allowed_packet` by
 * closing the connection, on every retry. Nothing is sent then, and a transaction continues. Returns undefined, without
 * a promise, for small statements, which are nearly all.
 *
 * @throws StatementTooLargeError
 */
export function refuseTooLarge(
  connection: Asked,
  dialect: Dialect,
  statement: RenderedStatement,
): Promise<void> | undefined {
  if (mostBytesOf(statement) <= SENT_UNASKED) return undefined;
  const bytes = bytesOf(statement, connection.interpolates === true);
  return bytes <= SENT_UNASKED ? undefined : refuseAbove(connection, dialect, bytes);
}

async function refuseAbove(connection: Asked, dialect: Dialect, bytes: number): Promise<void> {
  connection.largest ??= await byFamily(dialect, {
    postgres: () => Promise.resolve(LARGEST_ON_POSTGRES),
    mysql: () => packetOf(connection),
  });
  if (bytes + AROUND > connection.largest) throw new StatementTooLargeError(bytes, connection.largest);
}

/** Read on this connection: one that was opened before the setting changed has the old value. */
async function packetOf(connection: Pick<DriverConnection, 'execute'>): Promise<number> {
  const { rows } = await connection.execute({ text: 'SELECT @@max_allowed_packet AS largest', params: [] });
  return Number(rows[0]?.['largest']);
}

/** Allows for the rest of a row besides its payload: an error, keys, column names. */
const AROUND_PAYLOAD = 128 * 1024;

/**
 * Quotes and backslashes double in length each time that a JSON text is nested in another: a payload in its answer or
 * task, and that in the rows of a statement.
 */
const TIMES_LONGER = 4;

/**
 * The maximum payload, in bytes of JSON, that fits into a statement with any content; undefined if the limit is far
 * beyond any payload.
 */
export const largestPayload = (connection: SqlConnection): Promise<number | undefined> =>
  byFamily<Promise<number | undefined>>(connection.dialect, {
    postgres: () => Promise.resolve(undefined),
    mysql: async () => {
      const { rows } = await connection.run<{ largest: number | string }>(sql`SELECT @@max_allowed_packet AS largest`);
      return Math.max(1, Math.floor((Number(rows[0]?.largest) - AROUND_PAYLOAD) / TIMES_LONGER));
    },
  });

/** A character has at most three bytes, and an escaped one two. */
const mostBytesOf = ({ text, params }: RenderedStatement): number =>
  params.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length * 3 : AROUND_VALUE),
    text.length,
  );

function bytesOf({ text, params }: RenderedStatement, interpolated: boolean): number {
  let bytes = Buffer.byteLength(text);
  for (const value of params) {
    bytes += AROUND_VALUE;
    if (typeof value !== 'string') continue;
    bytes += Buffer.byteLength(value);
    if (interpolated) bytes += value.match(ESCAPED)?.length ?? 0;
  }
  return bytes;
}

/** Characters that a driver escapes with a backslash when it inserts values into the text. */
const ESCAPED = /["'\\\p{Cc}]/gu;
