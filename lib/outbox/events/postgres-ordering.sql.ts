import { postgres } from '../../sql/dialects/postgres.dialect.js';
import { render } from '../../sql/dialects/render.js';
import { raw, sql, type SqlPart, type Statement } from '../../sql/dialects/statement.js';

/**
 * The order of a channel is made by locks of its bucket: a number is drawn while the lock is held, and the lock is held
 * until the commit can be seen. So of two numbers of one channel the smaller one is seen first.
 */
export const bucketOfChannel = (channel: SqlPart): Statement =>
  sql`(('x' || substr(md5(${channel}), 1, 3))::bit(12)::int)`;

/** Says of which outbox our own statement is just writing the rows, so that its triggers leave them alone. */
export const QUIET = 'durable.outbox_quiet';
/** With the number of the table behind it: the buckets that the transaction's plain INSERTs have to lock, `1,2,`. */
export const NOTED = 'durable.outbox_noted_';

/** `'"app"."outbox"'::regclass`: the number of the table, wherever the search path finds it. */
export const tableNumber = (table: Statement): Statement =>
  sql`CAST(CAST(${postgres.literal(render(table, postgres).text)} AS regclass) AS oid)`;

/** Buckets as a table of one column, `bucket`. */
export const bucketsNoted = (noted: Statement): Statement =>
  sql`(SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(${noted}, ','), ',')) AS listed) AS noted`;

/** One lock for each of `buckets`, a SELECT of one column, in their order: so no two that wait for each other. */
export const lockBuckets = (tableOid: Statement, buckets: Statement): Statement =>
  sql`pg_advisory_xact_lock(CAST(${tableOid} AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (${buckets}) AS listed ORDER BY 1) AS wanted`;

export const setting = (name: Statement, value: Statement): Statement => sql`set_config(${name}, ${value}, true)`;

export const quiet = raw(`'${QUIET}'`);
