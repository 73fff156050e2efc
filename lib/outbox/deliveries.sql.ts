import { listedIn } from '../core/leasing.js';
import { byFamily } from '../sql/dialects.js';
import type { SqlConnection, SqlExecutor, SqlResult } from '../sql/executor.js';
import { inParts, SqlAdapter } from '../sql/tables.js';
import * as dead from './dead-letters.sql.js';
import {
  type Acknowledged,
  type Acknowledgements,
  type ChannelBatch,
  type ChannelState,
  type ChannelWrite,
  type DangerousDelivery,
  type DeadLettered,
  type EventSource,
  type FailedHead,
  type Fetched,
  type FetchRequest,
  followsRequeued,
} from './deliveries.js';
import * as mysql from './deliveries.mysql.sql.js';
import * as postgres from './deliveries.postgres.sql.js';
import { type OutboxEvent, shardOf } from './events.js';
import { leasesOf } from './shards.js';
import { type RelayScope, selectDestinations } from './shards.sql.js';

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
    const { rows } = await tx.run<{ state: ChannelState | null }>(dead.lockChannel(scope, destination, channel));
    states.set(channel, rows[0]?.state ?? null);
  }
  return states;
}

/** The maximum number of channels whose events one statement reads, if each needs its own query. */
const CHANNELS_PER_STATEMENT = 128;

interface CountsRow {
  channel: string;
  attempts: number | string;
  crashed: string | null;
}

type EventRow = Omit<postgres.FetchedRow, 'shard' | 'n' | 'attempts' | 'crashed' | 'state'>;

/** Reads events by the index of pending ones. */
export class SqlEventSource extends SqlAdapter<RelayScope> implements EventSource {
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
    for (const { channel, attempts, crashed } of rows) {
      const shard = shardOf(channel, this.db.dialect.family);
      if (!held.has(shard) || batches.length >= channels) continue;
      const events = await this.db.run<EventRow>(dead.selectRequeued(this.scope, destination, channel));
      const counts = { attempts: Number(attempts), crashes: listedIn(crashed).size };
      batches.push({ shard, channel, events: events.rows.map(eventOf), ...counts, parked: false });
    }
    return batches;
  }

  private async fetchAtOnce(request: FetchRequest): Promise<Fetched> {
    const { rows } = await this.db.run<postgres.FetchedRow>(postgres.fetchEvents(this.scope, request));
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

const headOf = (row: Pick<postgres.FetchedRow, 'shard' | 'channel' | 'attempts' | 'crashed' | 'state'>) => ({
  shard: Number(row.shard),
  channel: row.channel,
  attempts: Number(row.attempts ?? 0),
  crashes: listedIn(row.crashed).size,
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

/** The number of channels per shard that one call reads. */
const CHANNELS = 200;

/** Writes the outbox table and our rows of channels and dead letters. All items of a call are of one destination. */
export class SqlAcknowledgements implements Acknowledgements {
  private readonly endings: SqlEndings;
  /** Up to which channel of each shard `tidy` has looked. */
  private readonly after = new Map<number, string>();

  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {
    this.endings = new SqlEndings(db, scope);
  }

  async acknowledge(owner: string, items: readonly Acknowledged[]): Promise<boolean[]> {
    if (items.length === 0) return [];
    const ended = await this.endings.end(owner, items);
    if (ended.alone) return items.map((item) => isEnded(item, ended));
    const held = await this.endings.move(owner, items);
    await this.endings.endPassed(channelsOf(items));
    return items.map(({ lease }) => held.has(lease.shard));
  }

  async fail(owner: string, items: readonly FailedHead[]): Promise<boolean[]> {
    if (items.length === 0) return [];
    return byFamily(this.db.dialect, {
      postgres: async () => {
        const { rows } = await this.db.run<{ held: string | null }>(postgres.failHeads(this.scope, owner, items));
        const held = new Set(JSON.parse(rows[0]?.held ?? '[]') as number[]);
        return items.map(({ lease }) => held.has(lease.shard));
      },
      mysql: async () => {
        await this.db.run(mysql.failHeads(this.scope, owner, items));
        return items.map(await holding(this.db, this.scope, owner, items));
      },
    });
  }

  async countCrash(owner: string, items: readonly DangerousDelivery[]): Promise<(string[] | undefined)[]> {
    if (items.length === 0) return [];
    const { db, scope } = this;
    return byFamily(db.dialect, {
      postgres: async () => {
        const others = othersIn(owner, await db.run<CrashRow>(postgres.countCrashes(scope, owner, items)));
        return items.map(({ channel }) => others.get(channel));
      },
      mysql: async () => {
        await db.run(mysql.countCrashes(scope, owner, items));
        const others = othersIn(
          owner,
          await db.run<CrashRow>(mysql.selectCrashes(scope, destinationOf(items), channelsOf(items))),
        );
        const holds = await holding(db, scope, owner, items);
        return items.map((item) => (holds(item) ? others.get(item.channel) : undefined));
      },
    });
  }

  async withdraw(owner: string): Promise<number> {
    const { rows } = await this.db.run<{ destination: string; channel: string }>(dead.selectBlamed(this.scope, owner));
    const destinations = [...new Set(rows.map(({ destination }) => destination))];
    for (const destination of destinations) {
      const channels = channelsOf(rows.filter((row) => row.destination === destination));
      await this.db.run(dead.clearOf(this.scope, owner, destination, channels));
      await this.db.run(dead.dropCalm(this.scope, destination, channels));
    }
    return rows.length;
  }

  async deadLetter(owner: string, items: readonly DeadLettered[]): Promise<boolean[]> {
    if (items.length === 0) return [];
    const moved = new Set<DeadLettered>();
    const written = await this.underLeases(owner, items, async (ours, tx) => {
      moved.clear();
      for (const item of await this.setAside(owner, ours, tx)) moved.add(item);
    });
    if ((await this.db.run(selectDestinations(this.scope))).rows.length > 1)
      await this.endings.endPassed(channelsOf(items));
    return items.map((item, i) => written[i] === true && moved.has(item));
  }

  /** Under the leases of their shards. Returns those that are no longer in the outbox. */
  private async setAside(owner: string, items: readonly DeadLettered[], tx: SqlConnection): Promise<DeadLettered[]> {
    const destination = destinationOf(items);
    const states = await lockStates(tx, this.scope, destination, channelsOf(items.filter(mindsState)));
    const gone = await this.endDead(owner, items, tx);
    if (gone.length === 0) return gone;
    const follows = (item: DeadLettered) => followsRequeued(item, states.get(item.channel));
    const asDead = gone.map((item) => (follows(item) ? { ...item, reason: 'requeued' as const } : item));
    await inParts(tx, asDead, (some) => dead.insertDead(this.scope, destination, some));
    const parking = channelsOf(gone.filter((item) => item.parksChannel && !follows(item)));
    if (parking.length > 0) await tx.run(dead.setState(this.scope, destination, parking, 'parked'));
    const goingOn = channelsOf(gone.filter(({ requeued, parksChannel }) => requeued && !parksChannel));
    if (goingOn.length > 0) await tx.run(dead.forgetFailures(this.scope, destination, goingOn));
    return gone;
  }

  private async endDead(owner: string, items: readonly DeadLettered[], tx: SqlConnection): Promise<DeadLettered[]> {
    const pending = items.filter(({ requeued }) => !requeued);
    if (pending.length === 0) return [...items];
    const acks = new Map(pending.map((item) => [item, ackOf(item)]));
    const ended = await this.endings.end(owner, [...acks.values()], tx);
    if (!ended.alone) await this.endings.move(owner, [...acks.values()], tx);
    return items.filter((item) => {
      const ack = acks.get(item);
      return ack === undefined || !ended.alone || isEnded(ack, ended);
    });
  }

  async acknowledgeRequeued(owner: string, items: readonly Acknowledged[]): Promise<boolean[]> {
    if (items.length === 0) return [];
    return this.underLeases(owner, items, async (ours, tx) => {
      const destination = destinationOf(ours);
      const states = await lockStates(tx, this.scope, destination, channelsOf(ours));
      const delivered = ours.filter(({ ids }) => ids.length > 0);
      const ids = delivered.flatMap((item) => item.ids);
      if (ids.length > 0) {
        await tx.run(dead.deleteDead(this.scope, destination, ids));
        await tx.run(dead.forgetFailures(this.scope, destination, channelsOf(delivered)));
      }
      const requeued = channelsOf(ours).filter((channel) => states.get(channel) === 'requeued');
      if (requeued.length > 0) await this.settle(destination, requeued, tx);
    });
  }

  /**
   * Finds events that every destination has passed but none has ended, for example after two passed them at once. Reads a
   * page of channels per shard. Also with one destination: there may have been others.
   */
  async tidy(shards: readonly number[]): Promise<number> {
    const from = shards.map((shard) => ({ shard, after: this.after.get(shard) ?? '' }));
    const heads = await channelHeads(this.db, this.scope, '', from, CHANNELS);
    for (const shard of shards) {
      const seen = heads.filter((head) => head.shard === shard);
      this.after.set(shard, seen.length < CHANNELS ? '' : (seen.at(-1)?.channel ?? ''));
    }
    return this.endings.endPassed(heads.map(({ channel }) => channel));
  }

  /** Sets the state of channels without remaining requeued events. */
  private async settle(destination: string, channels: readonly string[], tx: SqlConnection): Promise<void> {
    type Row = { channel: string; requeued: number | string; behind: number | string };
    const { rows } = await tx.run<Row>(dead.selectReasons(this.scope, destination, channels));
    const left = new Map(rows.map((row) => [row.channel, row]));
    const done = channels.filter((channel) => Number(left.get(channel)?.requeued ?? 0) === 0);
    const isParked = (channel: string) => Number(left.get(channel)?.behind ?? 0) === 1;
    const parked = done.filter(isParked);
    const free = done.filter((channel) => !isParked(channel));
    if (parked.length > 0) await tx.run(dead.setState(this.scope, destination, parked, 'parked'));
    if (free.length > 0) await tx.run(dead.setState(this.scope, destination, free, null));
  }

  /** Calls `work` with the items whose leases hold; they stay locked until the transaction ends. */
  private underLeases<Item extends ChannelWrite>(
    owner: string,
    items: readonly Item[],
    work: (ours: readonly Item[], tx: SqlConnection) => Promise<void>,
  ): Promise<boolean[]> {
    return this.db.transaction(async (tx) => {
      const holds = await holding(tx, this.scope, owner, items, true);
      const ours = items.filter(holds);
      if (ours.length > 0) await work(ours, tx);
      return items.map(holds);
    });
  }
}

interface CrashRow {
  channel: string;
  crashed: string;
}

/** Which leases hold; `locks`: they are locked until the transaction ends. */
async function holding(
  on: SqlConnection,
  scope: RelayScope,
  owner: string,
  items: readonly ChannelWrite[],
  locks = false,
): Promise<(item: ChannelWrite) => boolean> {
  const select = locks ? dead.lockLeases : dead.selectLeases;
  type Row = { shard: number | string; epoch: number | string };
  const { rows } = await on.run<Row>(select(scope, owner, destinationOf(items)));
  const epochs = new Map(rows.map(({ shard, epoch }) => [Number(shard), Number(epoch)]));
  return ({ lease }) => epochs.get(lease.shard) === lease.epoch;
}

const destinationOf = (items: readonly ChannelWrite[]): string => items[0]?.lease.destination ?? '';

const channelsOf = (items: readonly { channel: string }[]): string[] => [
  ...new Set(items.map(({ channel }) => channel)),
];

const othersIn = (owner: string, { rows }: SqlResult<CrashRow>): Map<string, string[]> =>
  new Map(rows.map(({ channel, crashed }) => [channel, [...listedIn(crashed)].filter((one) => one !== owner)]));

/** The result of ending events. */
export interface Ended {
  /** False: nothing was written, because there are several destinations. */
  alone: boolean;
  /** Shards whose leases held. */
  held: ReadonlySet<number>;
  /** Numbers that no longer existed. */
  missing: ReadonlySet<string>;
}

/** The maximum number of earlier marks to remember. */
const MARKS = 100;
/** The maximum number of events that one statement ends per channel. */
const PASSED_PER_CHANNEL = 1_000;

/** Removes delivered events from the table, on each family. */
export class SqlEndings {
  /** Rows kept as the newest of all, deleted once there is a newer one. Those of dead processes are pruned. */
  private marks: string[] = [];

  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  /** For one destination. Runs in `tx` if given. */
  async end(owner: string, items: readonly Acknowledged[], tx?: SqlConnection): Promise<Ended> {
    return byFamily(this.db.dialect, {
      postgres: () => this.endAtOnce(owner, items, tx ?? this.db),
      mysql: () => (tx ? this.endInSteps(owner, items, tx) : this.endFenced(owner, items)),
    });
  }

  /** For several destinations. */
  async move(owner: string, items: readonly Acknowledged[], tx?: SqlConnection): Promise<Ended['held']> {
    const on = tx ?? this.db;
    return byFamily(on.dialect, {
      postgres: async () => {
        type Row = Pick<postgres.AckRow, 'held'>;
        const { rows } = await on.run<Row>(postgres.movePositions(this.scope, owner, items));
        return shardsIn(rows[0]?.held);
      },
      mysql: async () => {
        await on.run(mysql.movePositions(this.scope, owner, items));
        return this.held(owner, items, tx);
      },
    });
  }

  /** Ends events that all destinations have passed. Returns their number. */
  async endPassed(channels: readonly string[]): Promise<number> {
    if (channels.length === 0) return 0;
    return byFamily(this.db.dialect, {
      postgres: () => this.endPassedAtOnce(channels),
      mysql: () => this.endPassedInSteps(channels),
    });
  }

  private async endPassedAtOnce(channels: readonly string[]): Promise<number> {
    type Row = { mark: string | number | null; ended: number | string };
    const { rows } = await this.db.run<Row>(postgres.endPassed(this.scope, channels, this.takeMarks()));
    this.keepMark(rows[0]?.mark);
    return Number(rows[0]?.ended ?? 0);
  }

  private async endAtOnce(owner: string, items: readonly Acknowledged[], on: SqlConnection): Promise<Ended> {
    const statement = postgres.endDelivered(this.scope, owner, items, this.takeMarks());
    const [row] = (await on.run<postgres.AckRow>(statement)).rows;
    this.keepMark(row?.mark);
    const missing = row?.missing ? (JSON.parse(row.missing) as string[]) : [];
    return { alone: row?.alone === true, held: shardsIn(row?.held), missing: new Set(missing) };
  }

  /**
   * MySQL and MariaDB, without a transaction: a process suspended in one would block the events it had locked. So the
   * reads are only estimates, and each write checks the leases itself.
   */
  private async endFenced(owner: string, items: readonly Acknowledged[]): Promise<Ended> {
    const { db, scope } = this;
    const destination = items[0]?.lease.destination ?? '';
    const [standing] = (await db.run<Standing>(mysql.selectStanding(scope, destination))).rows;
    const ids = items.flatMap((item) => item.ids);
    const there = numbersIn(await db.run<NumberRow>(mysql.selectPending(scope, ids)));
    const stays = (id: string) => scope.retains || id === standing?.newest;
    const ending = (some: string[]) => ({ owner, destination, leases: leasesOf(items), ids: some });
    const going = there.filter((id) => !stays(id));
    const marked = there.filter(stays);
    if (Number(standing?.others ?? 0) === 0) await this.clear(owner, destination, items);
    if (going.length > 0) await db.run(mysql.deleteFenced(scope, ending(going)));
    if (marked.length > 0) await db.run(mysql.markFenced(scope, ending(marked)));
    const held = await this.held(owner, items);
    if (Number((await db.run<Standing>(mysql.selectStanding(scope, destination))).rows[0]?.others) > 0)
      return { alone: false, held, missing: new Set() };
    await this.endMarks(scope.retains ? undefined : marked[0], standing?.newest ?? null);
    const found = new Set(there);
    return { alone: true, held, missing: new Set(ids.filter((id) => !found.has(id))) };
  }

  /** Before the events are deleted: otherwise a crash in between would leave their failures to the next one. */
  private async clear(owner: string, destination: string, items: readonly Acknowledged[]): Promise<void> {
    const clearing = items.filter(({ clears }) => clears);
    if (clearing.length === 0) return;
    const held = await this.held(owner, clearing);
    const channels = clearing.filter(({ lease }) => held.has(lease.shard)).map(({ channel }) => channel);
    if (channels.length > 0) await this.db.run(mysql.clearChannels(this.scope, destination, channels));
  }

  /** Deletes earlier marks together with ended events. */
  private async endMarks(mark: string | undefined, newest: string | null): Promise<void> {
    const marks = this.takeMarks().filter((before) => newest !== null && BigInt(before) < BigInt(newest));
    if (marks.length > 0) await this.db.run(mysql.deleteMarks(this.scope, marks));
    this.keepMark(mark);
  }

  private async endInSteps(owner: string, items: readonly Acknowledged[], tx: SqlConnection): Promise<Ended> {
    const destination = items[0]?.lease.destination ?? '';
    const held = await this.held(owner, items, tx);
    const [standing] = (await tx.run<Standing>(mysql.selectStanding(this.scope, destination))).rows;
    if (Number(standing?.others) > 0) return { alone: false, held, missing: new Set() };
    const ours = items.filter(({ lease }) => held.has(lease.shard));
    const ids = ours.flatMap((item) => item.ids);
    const there = await this.endByNumber(ids, standing?.newest ?? null, tx);
    const clearing = ours.filter(({ clears }) => clears).map(({ channel }) => channel);
    if (clearing.length > 0) await tx.run(mysql.clearChannels(this.scope, destination, clearing));
    return { alone: true, held, missing: new Set(ids.filter((id) => !there.has(id))) };
  }

  /** Returns those that existed. */
  private async endByNumber(ids: readonly string[], newest: string | null, tx: SqlConnection): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const select = tx === this.db ? mysql.selectPending : mysql.lockPending;
    const there = numbersIn(await tx.run<NumberRow>(select(this.scope, ids)));
    const stays = (id: string) => this.scope.retains || id === newest;
    const marked = there.filter(stays);
    const going = there.filter((id) => !stays(id));
    if (going.length > 0) await tx.run(mysql.deleteEvents(this.scope, going));
    if (marked.length > 0) await tx.run(mysql.markEvents(this.scope, marked));
    const marks = this.takeMarks().filter((mark) => newest !== null && BigInt(mark) < BigInt(newest));
    if (marks.length > 0) await tx.run(mysql.deleteMarks(this.scope, marks));
    if (!this.scope.retains) this.keepMark(marked[0]);
    return new Set(there);
  }

  /** In a transaction the leases are locked until it ends. */
  private async held(owner: string, items: readonly Acknowledged[], tx?: SqlConnection): Promise<ReadonlySet<number>> {
    const holds = await holding(tx ?? this.db, this.scope, owner, items, tx !== undefined);
    return new Set(items.filter(holds).map(({ lease }) => lease.shard));
  }

  /** Without a transaction: positions never decrease. */
  private async endPassedInSteps(channels: readonly string[]): Promise<number> {
    const { db, scope } = this;
    type Row = { channel: string; position: string };
    const { rows } = await db.run<Row>(mysql.selectPassed(scope, channels));
    const passed = rows
      .filter(({ position }) => position !== '0')
      .map((row) => ({ ...row, shard: shardOf(row.channel, 'mysql') }));
    if (passed.length === 0) return 0;
    const ids = numbersIn(await db.run<NumberRow>(mysql.selectPassedEvents(scope, passed, PASSED_PER_CHANNEL)));
    const [standing] = (await db.run<Standing>(mysql.selectStanding(scope, ''))).rows;
    return (await this.endByNumber(ids, standing?.newest ?? null, db)).size;
  }

  private takeMarks(): string[] {
    return this.marks.slice(-MARKS);
  }

  /** The last one may still be the newest of all; earlier ones have been deleted. */
  private keepMark(mark: string | number | null | undefined): void {
    if (mark !== null && mark !== undefined) this.marks = [...this.marks.slice(-MARKS + 1), String(mark)];
  }
}

/** Whether all events of an acknowledgement were there, and its lease held. */
export const isEnded = ({ lease, ids }: Acknowledged, { held, missing }: Ended): boolean =>
  held.has(lease.shard) && (missing.size === 0 || !ids.some((id) => missing.has(id)));

interface Standing {
  newest: string | null;
  others: number | string;
}

interface NumberRow {
  sequence_id: string;
}

const numbersIn = ({ rows }: { rows: NumberRow[] }): string[] => rows.map(({ sequence_id }) => String(sequence_id));

const shardsIn = (held: string | null | undefined): ReadonlySet<number> =>
  new Set(held ? (JSON.parse(held) as number[]) : []);

/** A dead letter whose channel continues does not depend on the channel's state. */
const mindsState = ({ reason, parksChannel, requeued }: DeadLettered): boolean =>
  reason === 'behind' || parksChannel || requeued;

const ackOf = ({ lease, channel, event }: DeadLettered): Acknowledged => ({
  lease,
  channel,
  ids: [event.sequenceId],
  clears: true,
});
