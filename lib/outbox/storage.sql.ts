import { SqlActLog } from '../acts/acts.sql.js';
import type { Transaction } from '../core/transaction.js';
import { byFamily } from '../sql/dialects.js';
import { connectionOf, inTransaction, type SqlConnection, type SqlExecutor } from '../sql/executor.js';
import type { Notifier } from '../sql/notifier.js';
import { id, sql, type Statement } from '../sql/statement.js';
import { SqlAdapter, type SqlNow, tablesWithPrefix } from '../sql/tables.js';
import { SqlChannelReader, SqlChannelSnapshots, SqlEventPruning } from './channels.sql.js';
import {
  type ChannelLag,
  type DeadEvent,
  type DeadLetters,
  type DeadQuery,
  LAGS_COUNTED,
  type RetriedBatch,
  type StandingChannel,
} from './dead-letters.js';
import * as dead from './dead-letters.sql.js';
import { SqlDeadLetterRemoval, SqlDeadLetterStory } from './dead-letters.sql.js';
import type { ChannelState } from './deliveries.js';
import * as mysql from './deliveries.mysql.sql.js';
import * as postgres from './deliveries.postgres.sql.js';
import { eventOf, SqlAcknowledgements, SqlEventSource } from './deliveries.sql.js';
import { SqlInbox } from './destinations.sql.js';
import { declared, type OutboxEvent, type OutboxOrdering, shardOf, SHARDS, type StoredWishes } from './events.js';
import { SqlEventErasure, SqlOutboxWriter } from './events.sql.js';
import { SqlRelayInsight } from './relay-insight.sql.js';
import type {
  AcquiredShard,
  AcquireShards,
  DestinationRoster,
  KnownDestination,
  ShardLease,
  ShardLeases,
} from './shards.js';
import * as shards from './shards.sql.js';
import { type RelayScope, selectDestinations, SqlRelayNodes } from './shards.sql.js';
import type { OutboxStorage, RelayStorage } from './storage.js';
import type { OutboxTables } from './tables.sql.js';

export interface SqlOutboxStorageOptions {
  ordering: OutboxOrdering;
  /** Whether delivered events are kept until they are pruned. */
  retains: boolean;
  /** Default: the database's clock. */
  now?: SqlNow;
}

/** The outbox in the app's own database. */
export function sqlOutboxStorage(
  db: SqlExecutor,
  tables: OutboxTables,
  notifier: Notifier,
  options: SqlOutboxStorageOptions,
): OutboxStorage {
  return {
    writer: new SqlOutboxWriter(db, tables, notifier, options.ordering),
    relay: sqlRelayStorage(db, tables, options),
    inbox: new SqlInbox(db, tables),
    reader: new SqlChannelReader(db, tables),
    snapshots: new SqlChannelSnapshots(db, tables),
    pruning: new SqlEventPruning(db, tables, options.now),
    erasure: new SqlEventErasure(db, tables),
    signals: notifier,
  };
}

/** One row per shard of each destination. */
export class SqlShardLeases extends SqlAdapter<RelayScope> implements ShardLeases {
  async renew(owner: string, leaseMs: number): Promise<ShardLease[]> {
    const { db, scope } = this;
    const { rows } = await byFamily(db.dialect, {
      postgres: () => db.run<shards.LeaseRow>(shards.renewReturning(scope, owner, leaseMs)),
      mysql: async () => {
        await db.run(shards.renew(scope, owner, leaseMs));
        return db.run<shards.LeaseRow>(shards.selectHeld(scope, owner));
      },
    });
    return rows.map(leaseOf);
  }

  async acquire(owner: string, request: AcquireShards): Promise<AcquiredShard[]> {
    if (request.wanted.length + request.strays === 0) return [];
    return byFamily(this.db.dialect, {
      postgres: async () => {
        const { rows } = await this.db.run<shards.LeaseRow>(shards.acquireReturning(this.scope, owner, request));
        return rows.map(acquiredOf(owner));
      },
      mysql: () => this.acquireInSteps(owner, request),
    });
  }

  async release(owner: string, leases: readonly ShardLease[]): Promise<void> {
    if (leases.length > 0) await this.db.run(shards.releaseShards(this.scope, owner, leases));
  }

  /** Without a transaction, so that nothing stays locked if this process is suspended in between. */
  private async acquireInSteps(owner: string, request: AcquireShards): Promise<AcquiredShard[]> {
    const { db, scope } = this;
    const free = (await db.run<FreeRow>(shards.selectFreeShards(scope, request))).rows;
    const isWanted = ({ wanted }: FreeRow) => Number(wanted) === 1;
    // The query returns more strays than requested if wanted shards are not free.
    const strays = free.filter((row) => !isWanted(row)).slice(0, request.strays);
    const asked = [...free.filter(isWanted), ...strays].map(acquiredOf(owner));
    if (asked.length === 0) return [];
    await db.run(shards.takeShards(scope, owner, request, asked));
    const raised = asked.map((lease) => ({ ...lease, epoch: lease.epoch + 1 }));
    const { rows } = await db.run<shards.LeaseRow>(shards.selectTaken(scope, owner, request.destination, raised));
    const taken = new Set(rows.map(({ shard }) => Number(shard)));
    return raised.filter(({ shard }) => taken.has(shard));
  }
}

type FreeRow = shards.LeaseRow & { wanted: number | string };

const acquiredOf =
  (owner: string) =>
  (row: shards.LeaseRow): AcquiredShard => ({
    ...leaseOf(row),
    abandonedBy: row.last_owner === owner ? undefined : (row.last_owner ?? undefined),
  });

const leaseOf = ({ destination, shard, epoch }: shards.LeaseRow): ShardLease => ({
  destination,
  shard: Number(shard),
  epoch: Number(epoch),
});

/** One row per destination. */
export class SqlDestinationRoster extends SqlAdapter<RelayScope> implements DestinationRoster {
  async register(
    names: readonly string[],
    count: number,
    wants: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    if (names.length === 0) return;
    await this.db.run(shards.insertShards(this.scope, names, count));
    await this.db.run(shards.seeDestinations(this.scope, names));
    const others = names.filter((name) => !wants.has(name));
    if (others.length > 0) await this.db.run(shards.clearWants(this.scope, others));
    await this.want(wants);
  }

  async want(wants: ReadonlyMap<string, string>): Promise<void> {
    if (wants.size === 0) return;
    await this.db.transaction(async (tx) => {
      const { rows } = await tx.run<shards.LockedWishes>(shards.lockWants(this.scope, [...wants.keys()]));
      const stored = rows.map(({ name, wants: before, now }) => ({
        name,
        wants: declared(before, wants.get(name)!, Number(now)),
      }));
      if (stored.length > 0) await tx.run(shards.writeWants(this.scope, stored));
    });
  }

  async wants(tx?: Transaction): Promise<StoredWishes[]> {
    return (await connectionOf(this.db, tx).run<StoredWishes>(shards.selectWants(this.scope))).rows;
  }

  async known(): Promise<KnownDestination[]> {
    const { rows } = await this.db.run<{ name: string; seen_at: number | string }>(
      shards.selectDestinations(this.scope),
    );
    return rows.map(({ name, seen_at }) => ({ name, seenAt: Number(seen_at) }));
  }

  async forget(name: string, given?: Transaction): Promise<void> {
    await inTransaction(this.db, given, async (tx) => {
      for (const statement of shards.forgetDestination(this.scope, name)) await tx.run(statement);
    });
  }
}

type SqlRelayStorageOptions = Omit<SqlOutboxStorageOptions, 'ordering'>;

export function sqlRelayStorage(db: SqlExecutor, tables: OutboxTables, options: SqlRelayStorageOptions): RelayStorage {
  const { retains, now = () => db.dialect.now } = options;
  const scope = { tables, dialect: db.dialect, now, retains };
  return {
    nodes: new SqlRelayNodes(db, scope),
    destinations: new SqlDestinationRoster(db, scope),
    leases: new SqlShardLeases(db, scope),
    source: new SqlEventSource(db, scope),
    acknowledgements: new SqlAcknowledgements(db, scope),
    deadLetters: new SqlDeadLetters(db, scope),
    insight: new SqlRelayInsight(db, scope),
    deadLetterStory: new SqlDeadLetterStory(db, scope),
    deadLetterRemoval: new SqlDeadLetterRemoval(db, scope),
    acts: new SqlActLog(db, tablesWithPrefix(tables.prefix, tables.home), now),
  };
}

/** Deletes an event, or marks it if it is retained or the newest of all. For callers without a lease. */
const deleteEvent = ({ tables }: RelayScope, sequenceId: string): Statement =>
  sql`DELETE FROM ${tables.outbox} WHERE sequence_id = ${sequenceId}`;

const markEvent = ({ tables }: RelayScope, sequenceId: string): Statement =>
  sql`UPDATE ${tables.outbox} SET processed = ${true} WHERE sequence_id = ${sequenceId}`;

const selectNewer = ({ tables }: RelayScope, sequenceId: string): Statement =>
  sql`SELECT 1 AS found FROM ${tables.outbox} WHERE sequence_id > ${sequenceId} ORDER BY sequence_id LIMIT 1`;

const passEvent = (scope: RelayScope, destination: string, { channel, sequenceId }: OutboxEvent): Statement => sql`
  INSERT INTO ${scope.tables.channels} (destination, channel, position) VALUES (${destination}, ${channel}, ${sequenceId})
  ${scope.dialect.onConflictUpdate([id('destination'), id('channel')], (incoming) => sql`position = ${incoming('position')}`)}`;

/** Ends one event of a blocked and locked channel for this destination. */
export async function endOne(
  tx: SqlConnection,
  scope: RelayScope,
  destination: string,
  event: OutboxEvent,
): Promise<void> {
  const { rows } = await tx.run(selectDestinations(scope));
  if (rows.length > 1) return void (await tx.run(passEvent(scope, destination, event)));
  const stays = scope.retains || (await tx.run(selectNewer(scope, event.sequenceId))).rows.length === 0;
  await tx.run((stays ? markEvent : deleteEvent)(scope, event.sequenceId));
}

interface DeadRow {
  sequence_id: string;
  mutation_id: string;
  channel: string;
  name: string;
  rejected: number;
  data: string | null;
  headers: string | null;
  destination: string;
  attempts: number | string;
  reason: string;
  last_error: string | null;
  failed_at: number | string;
}

interface ChannelRow {
  channel: string;
  state: ChannelState | null;
  attempts: number | string;
  last_error: string | null;
  failed_at: number | string | null;
  position: number | string;
}

/** The channels of a shard among which those with the oldest events are found. */
const CHANNELS_OF_SHARD = 100;

/** The maximum number of dead letters that one statement requeues. */
const REQUEUED_AT_ONCE = 1_000;

/** Reads and writes our tables of channels and dead letters. */
export class SqlDeadLetters extends SqlAdapter<RelayScope> implements DeadLetters {
  async list(query: DeadQuery): Promise<DeadEvent[]> {
    const { rows } = await this.db.run<DeadRow>(dead.selectDead(this.scope, query));
    return rows.map((row) => ({
      ...eventOf(row),
      destination: row.destination,
      attempts: Number(row.attempts),
      reason: row.reason,
      error: row.last_error,
      failedAt: Number(row.failed_at),
    }));
  }

  /** In one transaction: a relay that sees a part of them would deliver later events before the rest. */
  async requeue(
    destination: string,
    channel: string,
    sequenceIds?: readonly string[],
    given?: Transaction,
  ): Promise<number> {
    if (sequenceIds?.length === 0) return 0;
    return inTransaction(this.db, given, async (tx) => {
      await this.lock(tx, destination, channel);
      let requeued = 0;
      for (let after = '0'; ;) {
        const next = dead.selectDeadNumbers(this.scope, { destination, channel, after }, REQUEUED_AT_ONCE, sequenceIds);
        const ids = (await tx.run<{ sequence_id: string }>(next)).rows.map(({ sequence_id }) => sequence_id);
        if (ids.length > 0) requeued += (await tx.run(dead.requeueDead(this.scope, destination, ids))).affected;
        if (ids.length < REQUEUED_AT_ONCE) break;
        after = ids.at(-1)!;
      }
      if (requeued > 0) await tx.run(dead.setState(this.scope, destination, [channel], 'requeued'));
      return requeued;
    });
  }

  async skip(destination: string, channel: string, given?: Transaction): Promise<boolean> {
    return inTransaction(this.db, given, async (tx) => {
      const row = await this.lock(tx, destination, channel);
      if (row?.state !== 'blocked') return false;
      const shard = shardOf(channel, this.db.dialect.family);
      const first = dead.selectFirst(this.scope, channel, shard, String(row.position));
      const [found] = (await tx.run<DeadRow>(first)).rows;
      if (found) {
        const event = eventOf(found);
        const item = { channel, event, attempts: Number(row.attempts), reason: 'skipped' as const };
        const set = { ...item, error: row.last_error, parksChannel: false, requeued: false };
        await tx.run(dead.insertDead(this.scope, destination, [set]));
        await endOne(tx, this.scope, destination, event);
      }
      await tx.run(dead.setState(this.scope, destination, [channel], null));
      return true;
    });
  }

  async retry(destination: string, channel: string, tx?: Transaction): Promise<boolean> {
    return (await connectionOf(this.db, tx).run(dead.retryBlocked(this.scope, destination, [channel]))).affected > 0;
  }

  async retrySome(
    destination: string,
    { after, limit }: { after: string; limit: number },
    tx?: Transaction,
  ): Promise<RetriedBatch> {
    const on = connectionOf(this.db, tx);
    const blocked = dead.selectBlocked(this.scope, destination, after, limit + 1);
    const found = (await on.run<{ channel: string }>(blocked)).rows.map(({ channel }) => channel);
    const some = found.slice(0, limit);
    if (some.length === 0) return { retried: 0 };
    const { affected } = await on.run(dead.retryBlocked(this.scope, destination, some));
    return { retried: affected, ...(found.length > limit && { last: some.at(-1)! }) };
  }

  async standing(destination: string, limit: number): Promise<StandingChannel[]> {
    const { rows } = await this.db.run<ChannelRow>(dead.selectStanding(this.scope, destination, limit));
    return rows.map((row) => ({
      destination,
      channel: row.channel,
      state: row.state ?? 'blocked',
      attempts: Number(row.attempts),
      error: row.last_error,
      failedAt: row.failed_at === null ? null : Number(row.failed_at),
    }));
  }

  async lag(destination: string, limit: number, atMost: number): Promise<ChannelLag[]> {
    const shards = Array.from({ length: SHARDS }, (_, shard) => ({ shard, after: '' }));
    const selectLagging = byFamily(this.db.dialect, {
      postgres: () => postgres.selectLagging,
      mysql: () => mysql.selectLagging,
    });
    const most = Math.max(limit, LAGS_COUNTED);
    const asked = { destination, channels: CHANNELS_OF_SHARD, limit: most };
    type Head = { shard: number | string; channel: string; position: string | number | null };
    const heads = (await this.db.run<Head>(selectLagging(this.scope, shards, asked))).rows;
    const lags: ChannelLag[] = [];
    for (let at = 0; at < heads.length; at += LAGS_COUNTED) {
      const some = heads
        .slice(at, at + LAGS_COUNTED)
        .map(({ shard, channel, position }) => ({ shard: Number(shard), channel, after: String(position ?? 0) }));
      type Row = { channel: string; pending: number | string };
      const { rows } = await this.db.run<Row>(dead.countPending(this.scope, some, atMost));
      lags.push(...rows.map(({ channel, pending }) => ({ channel, pending: Number(pending) })));
    }
    return lags
      .filter(({ pending }) => pending > 0)
      .sort((a, b) => b.pending - a.pending || (a.channel < b.channel ? -1 : 1))
      .slice(0, limit);
  }

  /** Prevents concurrent changes by a relay. */
  private async lock(tx: SqlConnection, destination: string, channel: string): Promise<ChannelRow | undefined> {
    return (await tx.run<ChannelRow>(dead.lockChannel(this.scope, destination, channel))).rows[0];
  }
}
