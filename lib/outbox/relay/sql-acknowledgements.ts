import * as mysql from './ack.mysql.sql.js';
import * as postgres from './ack.postgres.sql.js';
import type { Acknowledged, Acknowledgements, ChannelWrite, DeadLettered, FailedHead } from './event-source.js';
import * as dead from './dead-letter.sql.js';
import type { RelayScope } from './relay-scope.sql.js';
import { selectDestinations } from './shard-lease.sql.js';
import { channelHeads, lockStates } from './sql-event-source.js';
import { SqlDeadLettering } from './sql-dead-lettering.js';
import { SqlEndings, isEnded } from './sql-endings.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import type { SqlConnection, SqlExecutor, SqlResult } from '../../sql/sql-executor.js';

/** The number of channels per shard that one call reads. */
const CHANNELS = 200;

/** Finds events that every destination has passed but none has ended, for example after two passed them at once. */
export class SqlPassedEvents {
  private readonly after = new Map<number, string>();

  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
    private readonly endings: SqlEndings,
  ) {}

  async endOf(items: readonly { channel: string }[]): Promise<void> {
    if (await this.severalKnown()) await this.endings.endPassed([...new Set(items.map(({ channel }) => channel))]);
  }

  /** Reads a page of channels per shard. Also with one destination: there may have been others. */
  async tidy(shards: readonly number[]): Promise<number> {
    const from = shards.map((shard) => ({ shard, after: this.after.get(shard) ?? '' }));
    const heads = await channelHeads(this.db, this.scope, '', from, CHANNELS);
    for (const shard of shards) {
      const seen = heads.filter((head) => head.shard === shard);
      this.after.set(shard, seen.length < CHANNELS ? '' : (seen.at(-1)?.channel ?? ''));
    }
    return this.endings.endPassed(heads.map(({ channel }) => channel));
  }

  private async severalKnown(): Promise<boolean> {
    return (await this.db.run(selectDestinations(this.scope))).rows.length > 1;
  }
}

/** Writes the outbox table and our rows of channels and dead letters. All items of a call are of one destination. */
export class SqlAcknowledgements implements Acknowledgements {
  private readonly endings: SqlEndings;
  private readonly deadLettering: SqlDeadLettering;
  private readonly passed: SqlPassedEvents;

  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {
    this.endings = new SqlEndings(db, scope);
    this.deadLettering = new SqlDeadLettering(scope, this.endings);
    this.passed = new SqlPassedEvents(db, scope, this.endings);
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
        return items.map(await this.holding(owner, items, this.db));
      },
    });
  }

  async countCrash(owner: string, items: readonly ChannelWrite[]): Promise<(number | undefined)[]> {
    if (items.length === 0) return [];
    const { db, scope } = this;
    return byFamily(db.dialect, {
      postgres: async () => {
        const counts = countsIn(await db.run<CrashRow>(postgres.countCrashes(scope, owner, items)));
        return items.map(({ channel }) => counts.get(channel));
      },
      mysql: async () => {
        await db.run(mysql.countCrashes(scope, owner, items));
        const counts = countsIn(
          await db.run<CrashRow>(mysql.selectCrashes(scope, destinationOf(items), channelsOf(items))),
        );
        const holds = await this.holding(owner, items, db);
        return items.map((item) => (holds(item) ? counts.get(item.channel) : undefined));
      },
    });
  }

  async deadLetter(owner: string, items: readonly DeadLettered[]): Promise<boolean[]> {
    if (items.length === 0) return [];
    const moved = new Set<DeadLettered>();
    const written = await this.underLeases(owner, items, async (ours, tx) => {
      moved.clear();
      for (const item of await this.deadLettering.deadLetter(owner, ours, tx)) moved.add(item);
    });
    await this.passed.endOf(items);
    return items.map((item, i) => written[i] === true && moved.has(item));
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

  tidy(shards: readonly number[]): Promise<number> {
    return this.passed.tidy(shards);
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
      const holds = await this.holding(owner, items, tx);
      const ours = items.filter(holds);
      if (ours.length > 0) await work(ours, tx);
      return items.map(holds);
    });
  }

  /** Which leases hold; in a transaction they are locked until it ends. */
  private async holding(
    owner: string,
    items: readonly ChannelWrite[],
    on: SqlConnection,
  ): Promise<(item: ChannelWrite) => boolean> {
    const select = on === this.db ? dead.selectLeases : dead.lockLeases;
    type Row = { shard: number | string; epoch: number | string };
    const { rows } = await on.run<Row>(select(this.scope, owner, destinationOf(items)));
    const epochs = new Map(rows.map(({ shard, epoch }) => [Number(shard), Number(epoch)]));
    return ({ lease }) => epochs.get(lease.shard) === lease.epoch;
  }
}

interface CrashRow {
  channel: string;
  crashes: number | string;
}

const destinationOf = (items: readonly ChannelWrite[]): string => items[0]?.lease.destination ?? '';

const channelsOf = (items: readonly { channel: string }[]): string[] => [
  ...new Set(items.map(({ channel }) => channel)),
];

const countsIn = ({ rows }: SqlResult<CrashRow>): Map<string, number> =>
  new Map(rows.map(({ channel, crashes }) => [channel, Number(crashes)]));
