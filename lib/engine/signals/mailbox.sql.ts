import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { id, type Identifier, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { NewSignal } from '../model/mailbox.js';

/**
 * The MySQL family locks every row that a locking statement reads, including rows of the app's open transactions. So
 * such statements must find their rows by an index, even if the table seems small.
 */
export const indexOf = (table: Identifier, suffix: string): Identifier => id(`${table.name}_${suffix}`);

const NEW_COLUMNS = {
  ord: 'int',
  namespace: 'key',
  channel: 'key',
  name: 'key',
  target: 'key',
  addressed: 'key',
  dedup_id: 'key',
  payload: 'text',
} as const;

/** Inserts signals in the given order, so that their ids have this order. */
export const insertSignals = (scope: Scope, signals: readonly NewSignal[]): Statement => {
  const rows = signals.map(({ dedupId, ...signal }, ord) => ({ ...signal, ord, dedup_id: dedupId }));
  const copied = raw('namespace, channel, name, target, addressed, dedup_id, payload');
  return sql`
  INSERT INTO ${scope.tables.signals} (${copied}, created_at)
  SELECT ${copied}, ${nowOf(scope)} FROM ${scope.dialect.rows(JSON.stringify(rows), NEW_COLUMNS)} AS n ORDER BY n.ord`;
};

/** PostgreSQL: skips signals whose id exists, returns the inserted ones, and notifies in the same commit. */
export const sendSignals = (scope: Scope, signals: readonly NewSignal[], told: Statement | undefined): Statement => sql`
  WITH sent AS (${insertSignals(scope, signals)} ON CONFLICT (channel, dedup_id) DO NOTHING RETURNING channel, dedup_id)
  SELECT sent.channel, sent.dedup_id${told ? sql`, (${told}) AS told` : raw('')} FROM sent`;

/** The existing ids, as the caller's transaction sees them. */
export const selectKnown = (scope: Scope, signals: readonly NewSignal[]): Statement => {
  const rows = signals.map(({ channel, dedupId }) => ({ channel, dedup_id: dedupId }));
  const listed = scope.dialect.rows(JSON.stringify(rows), { channel: 'key', dedup_id: 'key' });
  return sql`
  SELECT s.channel, s.dedup_id FROM ${listed} AS n
  JOIN ${scope.tables.signals} AS s ON s.channel = n.channel AND s.dedup_id = n.dedup_id`;
};

/** MySQL family: the existing ids in their last committed state; locks their rows. */
export const lockKnown = ({ tables }: Scope, signals: readonly NewSignal[]): Statement => sql`
  SELECT channel, dedup_id FROM ${tables.signals} FORCE INDEX (${indexOf(tables.signals, 'dedup')})
  WHERE ${join(
    signals.map(({ channel, dedupId }) => sql`(channel = ${channel} AND dedup_id = ${dedupId})`),
    ' OR ',
  )} LOCK IN SHARE MODE`;

/** Any signal of the channel: all have the same name and target. */
export const selectAddress = ({ tables }: Scope, channel: string): Statement =>
  sql`SELECT name, target, addressed FROM ${tables.signals} WHERE channel = ${channel} LIMIT 1`;

export const selectRunsIn = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, namespace FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/**
 * MySQL and MariaDB: the last committed state; locks the rows, so only for runs that the caller's transaction does not
 * see. PostgreSQL has no such read: there, a REPEATABLE READ transaction cannot see runs that were created after it
 * began.
 */
export const selectLatestRunsIn = (scope: Scope, ids: readonly string[]): Statement =>
  sql`${selectRunsIn(scope, ids)} LOCK IN SHARE MODE`;
