import type { CastType, Dialect, JsonColumn } from './dialect.js';
import { type Identifier, id, join, raw, sql, type SqlPart, type Statement } from './statement.js';

const JSON_TYPES: Record<JsonColumn, string> = { key: 'text', text: 'text', int: 'bigint', bool: 'boolean' };

const CASTS: Record<CastType, string> = { bigint: 'bigint', int: 'integer', double: 'double precision', text: 'text' };

/** For an UPDATE, which allows no aliases here. */
const assigned: Dialect['assign'] = (_as, set) =>
  join(Object.entries(set).map(([column, value]) => sql`${raw(column)} = ${value}`));

/** The server rejects channel names longer than 63 bytes, so those of long schema names are hashed. */
const channel = (topic: SqlPart): Statement =>
  sql`(SELECT CASE WHEN octet_length(c) < 64 THEN c ELSE md5(c) END FROM (SELECT coalesce(current_schema(), '') || '.' || CAST(${topic} AS text) AS c) AS named)`;

/** The channel of `topic` for this connection's schema; schemas of one database are separate. */
export const channelOf = (topic: string): Statement => sql`SELECT ${channel(topic)} AS channel`;

export const postgres: Dialect = {
  name: 'postgres',
  family: 'postgres',
  placeholder: (position) => `$${position}`,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  literal: (text) => raw(`'${text.replaceAll("'", "''")}'`),
  cast: (value, type) => sql`CAST(${value} AS ${raw(CASTS[type])})`,
  // Thousands of rows come and go: without frequent, fast vacuums, claims would read many dead rows.
  tableOptions: (fillfactor) =>
    `WITH (fillfactor = ${fillfactor}, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  textType: 'text',
  asKey: (value) => sql`${value}`,
  isFalse: (column) => raw(`NOT ${column}`),
  currentSchema: raw('current_schema()'),
  // Not now(): a lease starts at the statement, not at the start of its transaction. As JavaScript cuts it, not rounded:
  // what follows at once must not seem to come before.
  now: sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  once: (value) => sql`(SELECT ${value})`,
  forNoKeyUpdate: raw('FOR NO KEY UPDATE'),
  forUpdateOf: (alias) => raw(`FOR UPDATE OF ${alias}`),
  newest: raw(''),
  forceIndex: () => raw(''),
  limitTime: (read, ms) => ({
    first: sql`SELECT set_config('statement_timeout', ${String(ms)}, true)`,
    read,
  }),
  canListen: true,
  hasPartialIndexes: true,
  rows: (json, columns) =>
    sql`(SELECT * FROM json_to_recordset(CAST(${json} AS json)) AS listed(${join(
      Object.entries(columns).map(([name, type]) => sql`${id(name)} ${raw(JSON_TYPES[type])}`),
    )}))`,
  assign: assigned,
  updateFrom: ({ table, as, from, on, set }) =>
    sql`UPDATE ${table} AS ${raw(as)} SET ${assigned(as, set)} FROM ${from} WHERE ${on}`,
  deleteFrom: ({ table, as, from, on }) => sql`DELETE FROM ${table} AS ${raw(as)} USING ${from} WHERE ${on}`,
  insertOrKeep: (insert, key) => sql`${insert} ON CONFLICT (${join([key].flat())}) DO NOTHING`,
  onConflictUpdate: (key: readonly Identifier[], set) =>
    sql`ON CONFLICT (${join(key)}) DO UPDATE SET ${set((column) => sql`EXCLUDED.${id(column)}`)}`,
  notify: (topic, payload) => sql`SELECT pg_notify(${channel(topic)}, CAST(${payload} AS text))`,
};
