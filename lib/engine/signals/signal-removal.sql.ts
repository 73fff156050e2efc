import { amongKeys, amongNumbers } from '../../sql/dialects/key-list.js';
import { nowOf, onceNow, type Scope } from '../../sql/tables.js';
import { int, sql, type Statement } from '../../sql/dialects/statement.js';
import type { PurgeSignals, SignalCursor } from '../model/mailbox.js';

/** Filed signals that are old enough: a range of the index (namespace, addressed, created_at, id). */
const oldOnes = (scope: Scope, { namespace, olderThanMs }: PurgeSignals, addressed: 'run' | 'key'): Statement => sql`
  s.namespace = ${namespace} AND s.addressed = ${addressed} AND s.position IS NOT NULL
  AND s.created_at <= ${onceNow(scope)} - ${olderThanMs}`;

export const selectOldOfKeys = (scope: Scope, request: PurgeSignals): Statement => sql`
  SELECT s.id FROM ${scope.tables.signals} AS s WHERE ${oldOnes(scope, request, 'key')}
  ORDER BY s.created_at, s.id LIMIT ${int(request.limit)}`;

/** A page of the signals to runs, and of each whether nobody takes it any more. Runs are looked up one by one. */
export const selectOldOfRuns = (
  scope: Scope,
  request: PurgeSignals,
  { createdAt, id: last }: SignalCursor,
): Statement => {
  const { tables } = scope;
  return sql`
  SELECT p.id, p.created_at, CASE WHEN p.taken_by IS NOT NULL OR COALESCE((
      SELECT r.status IN ('completed', 'cancelled') AND r.finished_at <= ${nowOf(scope)} - ${request.olderThanMs}
      FROM ${tables.runs} AS r WHERE r.id = p.target), true) THEN 1 ELSE 0 END AS gone
  FROM (
    SELECT s.id, s.created_at, s.target, s.taken_by FROM ${tables.signals} AS s
    WHERE ${oldOnes(scope, request, 'run')} AND s.created_at >= ${createdAt} AND (s.created_at > ${createdAt} OR s.id > ${last})
    ORDER BY s.created_at, s.id LIMIT ${int(request.limit)}
  ) AS p ORDER BY p.created_at, p.id`;
};

/** Signals of these channels, taken or not. */
export const selectIn = ({ tables, dialect }: Scope, channels: readonly string[], limit: number): Statement =>
  sql`SELECT id FROM ${tables.signals} WHERE channel ${amongKeys(dialect, channels)} LIMIT ${int(limit)}`;

/** Of a locked channel. */
export const lockUntaken = ({ tables }: Scope, channel: string, limit: number): Statement => sql`
  SELECT id FROM ${tables.signals} WHERE channel = ${channel} AND position IS NOT NULL AND taken_by IS NULL
  ORDER BY position LIMIT ${int(limit)} FOR UPDATE`;

export const deleteSignals = ({ tables, dialect }: Scope, ids: readonly (number | string)[]): Statement =>
  sql`DELETE FROM ${tables.signals} WHERE id ${amongNumbers(dialect, ids)}`;
