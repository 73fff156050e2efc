import { postgres } from '../../sql/dialects/postgres.dialect.js';
import { render } from '../../sql/dialects/dialect.js';
import { raw, sql, type SqlPart, type Statement } from '../../sql/dialects/statement.js';

/**
 * Locks of its bucket keep a channel in order: a number is drawn while the lock is held, and the lock is held until the
 * commit is visible. So of two numbers of one channel, the smaller one is visible first.
 */
export const bucketOfChannel = (channel: SqlPart): Statement =>
  sql`(('x' || substr(md5(${channel}), 1, 3))::bit(12)::int)`;

/** Set while our own statement writes the rows of an outbox, so that its triggers skip them. */
export const QUIET = 'durable.outbox_quiet';
/** Followed by the table's OID: the buckets that the transaction's plain INSERTs must lock, for example `1,2,`. */
export const NOTED = 'durable.outbox_noted_';

/** `'"app"."outbox"'::regclass`: the OID of the table, resolved by the search path. */
export const tableNumber = (table: Statement): Statement =>
  sql`CAST(CAST(${postgres.literal(render(table, postgres).text)} AS regclass) AS oid)`;

/** Buckets as a table of one column, `bucket`. */
export const bucketsNoted = (noted: Statement): Statement =>
  sql`(SELECT CAST(listed AS int) AS bucket FROM unnest(string_to_array(rtrim(${noted}, ','), ',')) AS listed) AS noted`;

/** One lock for each of `buckets`, a SELECT of one column, in their order: so two statements never deadlock. */
export const lockBuckets = (tableOid: Statement, buckets: Statement): Statement =>
  sql`pg_advisory_xact_lock(CAST(${tableOid} AS int), wanted.bucket) FROM (SELECT DISTINCT bucket FROM (${buckets}) AS listed ORDER BY 1) AS wanted`;

export const quiet = raw(`'${QUIET}'`);
