import { id, raw, sql, type Statement } from '../../sql/statement.js';
import { nowOf, type RelayScope } from './relay-scope.sql.js';

/** The published tables have times in UTC without a time zone. */
const utcIn = (scope: RelayScope, ms: number): Statement =>
  scope.dialect.family === 'postgres'
    ? sql`(to_timestamp((${nowOf(scope)} + CAST(${ms} AS bigint)) / 1000.0) AT TIME ZONE 'utc')`
    : sql`TIMESTAMPADD(MICROSECOND, (${nowOf(scope)} + ${ms}) * 1000, '1970-01-01 00:00:00')`;

export const signIn = (scope: RelayScope, nodeId: string, timeoutMs: number): Statement => sql`
  INSERT INTO ${scope.tables.nodes} (id, expiry) VALUES (${nodeId}, ${utcIn(scope, timeoutMs)})
  ${scope.dialect.onConflictUpdate([id('id')], (incoming) => sql`expiry = ${incoming('expiry')}`)}`;

export const strikeOff = (scope: RelayScope): Statement =>
  sql`DELETE FROM ${scope.tables.nodes} WHERE expiry <= ${utcIn(scope, 0)}`;

export const selectLive = (scope: RelayScope): Statement =>
  sql`SELECT id FROM ${scope.tables.nodes} WHERE expiry > ${utcIn(scope, 0)} ORDER BY id`;

export const signOff = (scope: RelayScope, nodeId: string): Statement =>
  sql`DELETE FROM ${scope.tables.nodes} WHERE id = ${nodeId}`;

/** A row that another connector is about to publish. */
export const selectLocked = (scope: RelayScope): Statement => sql`
  SELECT locked_by FROM ${scope.tables.outbox}
  WHERE ${raw(scope.dialect.family === 'postgres' ? 'NOT processed' : 'processed = 0')}
    AND locked_by IS NOT NULL AND lock_expiry > ${utcIn(scope, 0)} LIMIT 1`;
