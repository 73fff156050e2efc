import { StatementTooLargeError } from '../errors.js';
import { byFamily, type Dialect } from './dialects/dialect.js';
import type { DriverConnection } from './driver-connection.js';
import type { RenderedStatement } from './dialects/render.js';
import { sql } from './dialects/statement.js';
import type { SqlConnection } from './sql-executor.js';

/** Half of the smallest `max_allowed_packet` that anybody sets: what is shorter is sent unasked. */
const SENT_UNASKED = 512 * 1024;
/** For what a driver adds around the values. */
const AROUND = 4_096;
const AROUND_VALUE = 16;
/** It takes 1 GB as one value, and half of that as a text of JavaScript. */
const LARGEST_ON_POSTGRES = 256 * 1024 * 1024;

type Asked = Pick<DriverConnection, 'execute' | 'interpolates'> & { largest?: number };

/**
 * Refuses what the server would: MySQL and MariaDB answer a packet above `max_allowed_packet` by ending the connection,
 * for good and however often it is tried. Nothing is sent then, and a transaction goes on. Undefined, without a promise,
 * for what is small, which is nearly everything.
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

/** Of the very connection: one that was opened before the setting was changed has the old one. */
async function packetOf(connection: Pick<DriverConnection, 'execute'>): Promise<number> {
  const { rows } = await connection.execute({ text: 'SELECT @@max_allowed_packet AS largest', params: [] });
  return Number(rows[0]?.['largest']);
}

/** What a row has besides its payload: an error, keys, names of columns. */
const AROUND_PAYLOAD = 128 * 1024;

/**
 * Quotes and backslashes take twice their length each time that a JSON text is written into another: a payload into the
 * answer or the task that carries it, and that into the rows of a statement.
 */
const TIMES_LONGER = 4;

/**
 * The largest payload, in bytes of JSON, that fits into a statement whatever is in it; undefined where that is far
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

/** A character takes three bytes at the most, and one that has to be escaped takes two. */
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

/** What a driver writes with a backslash where it puts values into the text. */
const ESCAPED = /["'\\\p{Cc}]/gu;
