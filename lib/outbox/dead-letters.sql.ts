import { listOf } from '../core/leasing.js';
import { type MomentQuery, STAGE, WHAT } from '../core/protocol.js';
import {
  amongKeys,
  amongNumbers,
  byFamily,
  deleteByKeys,
  deleteByNumbers,
  type JsonColumn,
  overwriting,
  plannedAnew,
} from '../sql/dialects.js';
import { id, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { momentOf, type MomentRow, nextMoments, nowOf, onceNow, SqlAdapter } from '../sql/tables.js';
import type { DeadLetterMoment, DeadLetterRemoval, DeadLetterStory, DeadQuery, StoryEvents } from './dead-letters.js';
import type { DeadLettered } from './deliveries.js';
import { eventColumns, isPending, type RelayScope, selectDestinations, shardOfRow, shardValue } from './shards.sql.js';

const heldBy = (scope: RelayScope, owner: string, destination: string): Statement => sql`
  FROM ${scope.tables.shards} WHERE destination = ${destination} AND owner = ${owner} AND lease_until > ${nowOf(scope)}
  ORDER BY shard`;

/** The leases that `owner` holds in this destination. */
export const selectLeases = (scope: RelayScope, owner: string, destination: string): Statement =>
  sql`SELECT shard, epoch${heldBy(scope, owner, destination)}`;

/**
 * The same, locked until the transaction ends. PostgreSQL ends the transaction when its process has been idle for the
 * rest of the lease, so that a suspended process does not keep the locks.
 */
export const lockLeases = (scope: RelayScope, owner: string, destination: string): Statement =>
  byFamily(scope.dialect, {
    postgres: () => sql`SELECT shard, epoch,
      set_config('idle_in_transaction_session_timeout', CAST(GREATEST(lease_until - ${nowOf(scope)}, 100) AS text), true)
      ${heldBy(scope, owner, destination)} FOR SHARE`,
    mysql: () => sql`SELECT shard, epoch${heldBy(scope, owner, destination)} LOCK IN SHARE MODE`,
  });

const DEAD_COLUMNS: Record<string, JsonColumn> = {
  sequence_id: 'int',
  mutation_id: 'text',
  channel: 'text',
  name: 'text',
  rejected: 'int',
  data: 'text',
  headers: 'text',
  attempts: 'int',
  reason: 'text',
  last_error: 'text',
};

/** The values of a dead letter's row. */
type Dead = Pick<DeadLettered, 'event' | 'attempts' | 'error'> & { reason: DeadLettered['reason'] | 'requeued' };

export function insertDead(scope: RelayScope, destination: string, items: readonly Dead[]): Statement {
  const rows = items.map(({ event, attempts, reason, error }) => ({
    sequence_id: event.sequenceId,
    mutation_id: event.mutationId,
    channel: event.channel,
    name: event.name,
    rejected: Number(event.rejected),
    data: event.data === null ? null : JSON.stringify(event.data),
    headers: event.headers === null ? null : JSON.stringify(event.headers),
    attempts,
    reason,
    last_error: error,
  }));
  const columns = raw(Object.keys(DEAD_COLUMNS).join(', '));
  const insert = sql`
  INSERT INTO ${scope.tables.dead} (destination, ${columns}, failed_at)
  SELECT ${destination}, ${columns}, ${nowOf(scope)} FROM ${scope.dialect.rows(rows, DEAD_COLUMNS)} AS d`;
  const changing = ['attempts', 'reason', 'last_error', 'failed_at'];
  return sql`${insert} ${overwriting(scope.dialect, ['destination', 'sequence_id'], changing)}`;
}

/** Sets a channel's state; null clears it. Resets failures. */
export const setState = (
  scope: RelayScope,
  destination: string,
  channels: readonly string[],
  state: 'parked' | 'requeued' | null,
): Statement => sql`
  INSERT INTO ${scope.tables.channels} (destination, channel, state, failed_at)
  SELECT ${destination}, g.channel, ${state}, ${nowOf(scope)}
  FROM ${scope.dialect.rows(
    channels.map((channel) => ({ channel })),
    { channel: 'text' },
  )} AS g
  WHERE 1 = 1 ORDER BY g.channel
  ${scope.dialect.onConflictUpdate(
    [id('destination'), id('channel')],
    (incoming) =>
      sql`state = ${incoming('state')}, failed_at = ${incoming('failed_at')}, attempts = 0, crashed = NULL, available_at = NULL`,
  )}`;

/** Resets the failures of one event before the next one. */
export const forgetFailures = (
  { tables, dialect }: RelayScope,
  destination: string,
  channels: readonly string[],
): Statement => sql`
  UPDATE ${tables.channels} ${dialect.forceIndex()} SET attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = ${destination} AND channel ${amongKeys(dialect, channels)}`;

export const lockChannel = ({ tables, dialect }: RelayScope, destination: string, channel: string): Statement => sql`
  SELECT c.state, c.attempts, c.last_error, c.position FROM ${tables.channels} AS c ${plannedAnew(dialect, 'CROSS JOIN')}
  WHERE c.destination = ${destination} AND c.channel = ${channel} FOR UPDATE`;

/** Those of these channels that are still blocked. */
export const retryBlocked = (
  { tables, dialect }: RelayScope,
  destination: string,
  channels: readonly string[],
): Statement => sql`
  UPDATE ${tables.channels} ${dialect.forceIndex()} SET state = NULL, attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = ${destination} AND state = 'blocked' AND channel ${amongKeys(dialect, channels)}`;

/** Read without locks: rows that are scanned would stay locked on MySQL. */
export const selectBlamed = ({ tables }: RelayScope, owner: string): Statement => sql`
  SELECT destination, channel FROM ${tables.channels} WHERE crashed IS NOT NULL AND position(${listOf([owner])} IN crashed) > 0
  ORDER BY destination, channel`;

/** Removes a process from the lists of those that an event may have ended. Only such a channel is blocked with a list. */
export const clearOf = (
  { tables, dialect }: RelayScope,
  owner: string,
  destination: string,
  channels: readonly string[],
): Statement => sql`
  UPDATE ${tables.channels} ${dialect.forceIndex()} SET state = CASE WHEN state = 'blocked' THEN NULL ELSE state END,
    crashed = NULLIF(REPLACE(crashed, ${listOf([owner])}, ''), '')
  WHERE destination = ${destination} AND channel ${amongKeys(dialect, channels)} AND crashed IS NOT NULL`;

/** Rows that say nothing any more. */
export const dropCalm = (
  { tables, dialect }: RelayScope,
  destination: string,
  channels: readonly string[],
): Statement => sql`
  ${deleteByKeys(dialect, tables.channels, 'channel', channels)} AND destination = ${destination}
    AND position = 0 AND state IS NULL AND attempts = 0 AND crashed IS NULL`;

/** In the order in which a relay locks them. */
export const selectBlocked = (
  { tables }: RelayScope,
  destination: string,
  after: string,
  limit: number,
): Statement => sql`
  SELECT channel FROM ${tables.channels}
  WHERE destination = ${destination} AND state = 'blocked' AND channel > ${after} ORDER BY channel LIMIT ${int(limit)}`;

/** The first event of a channel, with its shard. */
export const selectFirst = (scope: RelayScope, channel: string, shard: number, after: string): Statement => sql`
  SELECT o.channel, ${eventColumns(scope, 'o')} FROM ${scope.tables.outbox} AS o
  WHERE ${isPending(scope, 'o')} AND ${shardOfRow(scope, 'o')} = ${shardValue(scope, shard)} AND o.channel = ${channel}
    AND o.sequence_id > ${after}
  ORDER BY ${shardOfRow(scope, 'o')}, o.channel, o.sequence_id LIMIT 1`;

const DEAD_ROW = raw(
  'd.mutation_id, d.channel, d.name, d.rejected, d.data, d.headers, d.destination, d.attempts, d.reason, d.last_error, d.failed_at',
);

const numberText = ({ dialect }: RelayScope): Statement =>
  sql`${dialect.cast(raw('d.sequence_id'), 'text')} AS sequence_id`;

export const selectDead = (scope: RelayScope, { destination, channel, limit, after = '0' }: DeadQuery): Statement =>
  sql`
  SELECT ${numberText(scope)}, ${DEAD_ROW} FROM ${scope.tables.dead} AS d
  WHERE d.destination = ${destination} AND d.sequence_id > ${after}
    ${channel === undefined ? raw('') : sql`AND d.channel = ${channel}`}
  ORDER BY d.sequence_id LIMIT ${int(limit)}`;

/** The maximum number of requeued events of a channel that are read at once. */
const REQUEUED_AT_ONCE = 50;

export const selectRequeuedChannels = (scope: RelayScope, destination: string): Statement => sql`
  SELECT channel, attempts, crashed FROM ${scope.tables.channels}
  WHERE destination = ${destination} AND state = 'requeued' AND (available_at IS NULL OR available_at <= ${nowOf(scope)})
  ORDER BY channel LIMIT 1000`;

export const selectRequeued = (scope: RelayScope, destination: string, channel: string): Statement => sql`
  SELECT ${numberText(scope)}, ${DEAD_ROW} FROM ${scope.tables.dead} AS d
  WHERE d.destination = ${destination} AND d.channel = ${channel} AND d.reason = 'requeued'
  ORDER BY d.sequence_id LIMIT ${int(REQUEUED_AT_ONCE)}`;

/** The next dead letters of a channel, all or of these numbers. */
export const selectDeadNumbers = (
  scope: RelayScope,
  { destination, channel, after }: { destination: string; channel: string; after: string },
  limit: number,
  ids: readonly string[] | undefined,
): Statement => sql`
  SELECT ${numberText(scope)} FROM ${scope.tables.dead} AS d
  WHERE d.destination = ${destination} AND d.channel = ${channel} AND d.sequence_id > ${after}
    ${ids ? sql`AND d.sequence_id ${amongNumbers(scope.dialect, ids)}` : raw('')}
  ORDER BY d.sequence_id LIMIT ${int(limit)}`;

export const requeueDead = (scope: RelayScope, destination: string, ids: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.dead} ${scope.dialect.forceIndex()} SET reason = 'requeued'
  WHERE destination = ${destination} AND sequence_id ${amongNumbers(scope.dialect, ids)}`;

export const deleteDead = (scope: RelayScope, destination: string, ids: readonly string[]): Statement =>
  sql`${deleteByNumbers(scope.dialect, scope.tables.dead, 'sequence_id', ids)} AND destination = ${destination}`;

/** Which of these channels have requeued events, and which have events queued behind a dead letter. */
export const selectReasons = (scope: RelayScope, destination: string, channels: readonly string[]): Statement => sql`
  SELECT channel, MAX(CASE WHEN reason = 'requeued' THEN 1 ELSE 0 END) AS requeued,
    MAX(CASE WHEN reason = 'behind' THEN 1 ELSE 0 END) AS behind
  FROM ${scope.tables.dead}
  WHERE destination = ${destination} AND channel ${amongKeys(scope.dialect, channels)} GROUP BY channel`;

export const selectStanding = ({ tables }: RelayScope, destination: string, limit: number): Statement => sql`
  SELECT channel, state, attempts, last_error, failed_at FROM ${tables.channels}
  WHERE destination = ${destination} AND state IS NOT NULL ORDER BY state, channel LIMIT ${int(limit)}`;

/** The number of pending events in each of these channels, counted up to a limit. */
export const countPending = (
  scope: RelayScope,
  channels: readonly { channel: string; shard: number; after: string }[],
  atMost: number,
): Statement =>
  join(
    channels.map(
      ({ channel, shard, after }) => sql`
  (SELECT ${scope.dialect.asKey(channel)} AS channel, COUNT(*) AS pending FROM (
    SELECT 1 FROM ${scope.tables.outbox} AS o
    WHERE ${isPending(scope, 'o')} AND ${shardOfRow(scope, 'o')} = ${shardValue(scope, shard)} AND o.channel = ${channel} AND o.sequence_id > ${after}
    LIMIT ${int(atMost)}) AS waiting)`,
    ),
    ' UNION ALL ',
  );

/** Finds dead letters by the index of channels. */
export function selectDeadMoments(
  { tables, dialect }: RelayScope,
  destinations: readonly string[],
  { events, channels }: StoryEvents,
  next: Omit<MomentQuery, 'runIds'>,
): Statement {
  const wanted = events.map(({ run, mutationId: mutation_id }) => ({ run, mutation_id }));
  const ranked = destinations.map((destination, n) => ({ destination, n }));
  const branches = sql`
    SELECT d.failed_at AS moment, f.run, ${int(STAGE.beside)} + w.n AS stage, ${int(WHAT.dead)} AS what, d.sequence_id AS item,
      ${raw('d.destination, d.channel, d.mutation_id, d.name, d.attempts, d.reason, d.last_error')}
    FROM ${tables.dead} AS d JOIN f ON f.mutation_id = d.mutation_id
      JOIN ${dialect.rows(ranked, { destination: 'key', n: 'int' })} AS w ON w.destination = d.destination
    WHERE d.destination ${amongKeys(dialect, destinations)} AND d.channel ${amongKeys(dialect, [...new Set(channels)])}`;
  const among = dialect.rows(wanted, { run: 'int', mutation_id: 'text' });
  return nextMoments(dialect, { among, branches, items: 'bigint', ...next });
}

interface DeadMomentRow extends MomentRow {
  destination: string;
  channel: string;
  mutation_id: string;
  name: string;
  attempts: number | string;
  reason: string;
  last_error: string | null;
}

export class SqlDeadLetterStory extends SqlAdapter<RelayScope> implements DeadLetterStory {
  async moments(published: StoryEvents, query: Omit<MomentQuery, 'runIds'>): Promise<DeadLetterMoment[]> {
    if (published.events.length === 0) return [];
    const known = await this.db.run<{ name: string }>(selectDestinations(this.scope));
    const destinations = known.rows.map(({ name }) => name).sort();
    const { rows } = await this.db.run<DeadMomentRow>(selectDeadMoments(this.scope, destinations, published, query));
    return rows.map(({ destination, channel, name, reason, ...row }) => ({
      ...momentOf(row),
      letter: {
        destination,
        channel,
        name,
        reason,
        mutationId: row.mutation_id,
        sequenceId: String(row.item),
        attempts: Number(row.attempts),
        error: row.last_error,
      },
    }));
  }
}

/** Locks the oldest dead letters. Requeued ones are few, and soon delivered. */
export const lockOldDead = (scope: RelayScope, olderThanMs: number, limit: number): Statement => sql`
  SELECT d.destination, ${scope.dialect.cast(sql`d.sequence_id`, 'text')} AS sequence_id FROM ${scope.tables.dead} AS d
  ${scope.dialect.forceIndex(indexOf(scope.tables.dead, 'age'))}
  WHERE d.failed_at <= ${onceNow(scope)} - ${olderThanMs} AND d.reason <> 'requeued'
  ORDER BY d.failed_at LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

interface LetterRow {
  destination: string;
  sequence_id: string;
}

export class SqlDeadLetterRemoval extends SqlAdapter<RelayScope> implements DeadLetterRemoval {
  purge(olderThanMs: number, limit: number): Promise<number> {
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<LetterRow>(lockOldDead(this.scope, olderThanMs, limit));
      const numbers = new Map<string, string[]>();
      for (const { destination, sequence_id: number } of rows)
        numbers.set(destination, [...(numbers.get(destination) ?? []), number]);
      for (const [destination, ids] of numbers) await tx.run(deleteDead(this.scope, destination, ids));
      return rows.length;
    });
  }
}
