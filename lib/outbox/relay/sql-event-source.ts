import type { OutboxEvent } from '../model/outbox-event.js';
import { shardOf } from '../model/shards.js';
import * as dead from './dead-letter.sql.js';
import { lockChannel } from './dead-letter.sql.js';
import type { ChannelBatch, ChannelState, EventSource, FetchRequest, Fetched } from './event-source.js';
import * as mysql from './fetch.mysql.sql.js';
import * as postgres from './fetch.postgres.sql.js';
import { type FetchedRow, fetchEvents } from './fetch.postgres.sql.js';
import type { RelayScope } from './relay-scope.sql.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';

export interface ChannelHead {
  shard: number;
  channel: string;
  /** The position of the requested destination. */
  position: string;
}

/** Channels with pending events after the given ones, at most `channels` of each shard. */
export async function channelHeads(
  db: SqlExecutor,
  scope: RelayScope,
  destination: string,
  shards: readonly { shard: number; after: string }[],
  channels: number,
): Promise<ChannelHead[]> {
  if (shards.length === 0) return [];
  const selectHeads = byFamily(db.dialect, {
    postgres: () => postgres.selectHeads,
    mysql: () => mysql.selectHeads,
  });
  type Row = { shard: number | string; channel: string; position: string | number | null };
  const { rows } = await db.run<Row>(selectHeads(scope, shards, channels, destination));
  return rows.map(({ shard, channel, position }) => ({
    shard: Number(shard),
    channel,
    position: String(position ?? 0),
  }));
}

/**
 * The states of these channels, locked until the transaction ends. Every caller locks a channel before its events, dead
 * or pending, and several channels in order, so that callers never deadlock.
 */
export async function lockStates(
  tx: SqlConnection,
  scope: RelayScope,
  destination: string,
  channels: readonly string[],
): Promise<ReadonlyMap<string, ChannelState | null>> {
  const states = new Map<string, ChannelState | null>();
  for (const channel of [...new Set(channels)].sort()) {
    const { rows } = await tx.run<{ state: ChannelState | null }>(lockChannel(scope, destination, channel));
    states.set(channel, rows[0]?.state ?? null);
  }
  return states;
}

/** The maximum number of channels whose events one statement reads, if each needs its own query. */
const CHANNELS_PER_STATEMENT = 128;

interface CountsRow {
  channel: string;
  attempts: number | string;
  crashes: number | string;
}

type EventRow = Omit<FetchedRow, 'shard' | 'n' | 'attempts' | 'crashes' | 'state'>;

/** Reads events by the index of pending ones. */
export class SqlEventSource implements EventSource {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async fetch(request: FetchRequest): Promise<Fetched> {
    if (request.shards.length === 0) return { batches: [], after: new Map() };
    return byFamily(this.db.dialect, {
      postgres: () => this.fetchAtOnce(request),
      mysql: () => this.fetchInSteps(request),
    });
  }

  async requeued(destination: string, shards: readonly number[], channels: number): Promise<ChannelBatch[]> {
    const { rows } = await this.db.run<CountsRow>(dead.selectRequeuedChannels(this.scope, destination));
    const held = new Set(shards);
    const batches: ChannelBatch[] = [];
    for (const { channel, attempts, crashes } of rows) {
      const shard = shardOf(channel, this.db.dialect.family);
      if (!held.has(shard) || batches.length >= channels) continue;
      const events = await this.db.run<EventRow>(dead.selectRequeued(this.scope, destination, channel));
      const counts = { attempts: Number(attempts), crashes: Number(crashes) };
      batches.push({ shard, channel, events: events.rows.map(eventOf), ...counts, parked: false });
    }
    return batches;
  }

  private async fetchAtOnce(request: FetchRequest): Promise<Fetched> {
    const { rows } = await this.db.run<FetchedRow>(fetchEvents(this.scope, request));
    const after = new Map<number, string>();
    const seen = new Map<number, number>();
    const batches = new Map<string, ChannelBatch & { events: OutboxEvent[] }>();
    for (const row of rows) {
      after.set(Number(row.shard), row.channel);
      seen.set(Number(row.shard), Number(row.n));
      if (row.sequence_id === null) continue;
      const batch = batches.get(row.channel);
      if (batch) batch.events.push(eventOf(row));
      else batches.set(row.channel, { ...headOf(row), events: [eventOf(row)] });
    }
    const cut = rows.length >= request.limit;
    for (const { shard } of request.shards) if (!cut && (seen.get(shard) ?? 0) < request.channels) after.set(shard, '');
    return { batches: [...batches.values()].filter(isWhole), after };
  }

  private async fetchInSteps(request: FetchRequest): Promise<Fetched> {
    const { shards, channels, destination, perChannel, limit } = request;
    const statement = mysql.selectHeads(this.scope, shards, channels, destination);
    const heads = (await this.db.run<mysql.HeadRow>(statement)).rows;
    const after = new Map(shards.map(({ shard }) => [shard, '']));
    for (const { shard } of shards) {
      const seen = heads.filter((head) => Number(head.shard) === shard);
      if (seen.length >= channels) after.set(shard, seen.map(({ channel }) => channel).reduce(later));
    }
    const busy = new Set(request.busy);
    const wanted = heads.filter((head) => mayGo(head) && !busy.has(head.channel));
    const batches: ChannelBatch[] = [];
    let read = 0;
    for (let at = 0; at < wanted.length && read < limit; at += CHANNELS_PER_STATEMENT) {
      const some = await this.eventsOf(wanted.slice(at, at + CHANNELS_PER_STATEMENT), perChannel);
      batches.push(...some);
      read += some.reduce((sum, { events }) => sum + events.length, 0);
      // Shards that were not reached keep their position for the next read.
      if (read >= limit) for (const { shard } of wanted.slice(at + CHANNELS_PER_STATEMENT)) after.delete(Number(shard));
    }
    return { batches, after };
  }

  private async eventsOf(heads: readonly mysql.HeadRow[], perChannel: number): Promise<ChannelBatch[]> {
    const wanted = heads.map(({ shard, channel, position }) => ({
      shard: Number(shard),
      channel,
      after: String(position ?? 0),
    }));
    type Row = EventRow & { channel: string };
    const { rows } = await this.db.run<Row>(mysql.selectEvents(this.scope, wanted, perChannel));
    const events = new Map<string, OutboxEvent[]>();
    for (const row of rows) events.set(row.channel, [...(events.get(row.channel) ?? []), eventOf(row)]);
    return heads
      .map((head) => ({ ...headOf(head), events: (events.get(head.channel) ?? []).sort(inOrder) }))
      .filter(isWhole);
  }
}

const later = (a: string, b: string): string => (Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0 ? a : b);

const mayGo = ({ state, waits }: mysql.HeadRow): boolean =>
  (state === null || state === 'parked') && Number(waits ?? 0) === 0;

const isWhole = ({ events }: ChannelBatch): boolean => events.length > 0;

const headOf = (row: Pick<FetchedRow, 'shard' | 'channel' | 'attempts' | 'crashes' | 'state'>) => ({
  shard: Number(row.shard),
  channel: row.channel,
  attempts: Number(row.attempts ?? 0),
  crashes: Number(row.crashes ?? 0),
  parked: row.state === 'parked',
});

export const inOrder = (a: OutboxEvent, b: OutboxEvent): number => {
  const [x, y] = [BigInt(a.sequenceId), BigInt(b.sequenceId)];
  return x < y ? -1 : Number(x > y);
};

/** Converts a row with `eventColumns` and the channel into an event. */
export const eventOf = (row: EventRow): OutboxEvent => ({
  sequenceId: String(row.sequence_id),
  mutationId: row.mutation_id,
  channel: row.channel,
  name: row.name,
  rejected: row.rejected === true || Number(row.rejected) === 1,
  data: parsed(row.data),
  headers: parsed(row.headers) as OutboxEvent['headers'],
});

const parsed = (text: string | null): unknown => {
  if (text === null || text === undefined) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: impossible in a JSON column, but possible in an adopted table.
    return text;
  }
};
