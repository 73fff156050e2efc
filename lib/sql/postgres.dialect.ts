import type { Dialect, JsonColumn } from './dialect.js';
import { type Identifier, id, join, raw, sql, type SqlPart, type Statement } from './statement.js';

const JSON_TYPES: Record<JsonColumn, string> = { key: 'text', text: 'text', int: 'bigint', bool: 'boolean' };

/** Channel names longer than 63 bytes are refused by the server, so those of long schema names are hashed. */
const channel = (topic: SqlPart): Statement =>
  sql`(SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST(${topic} AS text) AS c) AS named)`;

/** The name under which this connection's schema hears `topic`; two schemas of one database stay apart. */
export const channelOf = (topic: string): Statement => sql`SELECT ${channel(topic)} AS channel`;

export const postgres: Dialect = {
  name: 'postgres',
  family: 'postgres',
  placeholder: (position) => `$${position}`,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  // Not now(): a lease is counted from the statement, not from the start of its transaction.
  now: sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  rows: (json, columns) =>
    sql`(SELECT * FROM json_to_recordset(CAST(${json} AS json)) AS listed(${join(
      Object.entries(columns).map(([name, type]) => sql`${id(name)} ${raw(JSON_TYPES[type])}`),
    )}))`,
  insertOrKeep: (insert, key) => sql`${insert} ON CONFLICT (${join([key].flat())}) DO NOTHING`,
  onConflictUpdate: (key: readonly Identifier[], set) =>
    sql`ON CONFLICT (${join(key)}) DO UPDATE SET ${set((column) => sql`EXCLUDED.${id(column)}`)}`,
  notify: (topic, payload) => sql`SELECT pg_notify(${channel(topic)}, CAST(${payload} AS text))`,
};
