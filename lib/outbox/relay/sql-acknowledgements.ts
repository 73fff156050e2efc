import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import * as mysql from './ack.mysql.sql.js';
import * as postgres from './ack.postgres.sql.js';
import type { Acknowledged, Acknowledgements, DeadLettered, ChannelWrite, FailedHead } from './acknowledgements.js';
import * as dead from './dead-letter.sql.js';
import type { RelayScope } from './relay-scope.sql.js';
import { SqlDeadLettering } from './sql-dead-lettering.js';
import { lockStates } from './sql-channel-states.js';
import { isEnded, SqlEndings } from './sql-endings.js';
import { SqlPassedEvents } from './sql-passed-events.js';

/** The outbox table, and our rows about channels and dead events. All items of a call are of one destination. */
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
    if (this.db.dialect.family === 'postgres') {
      const { rows } = await this.db.run<{ held: string | null }>(postgres.failHeads(this.scope, owner, items));
      const held = new Set(JSON.parse(rows[0]?.held ?? '[]') as number[]);
      return items.map(({ lease }) => held.has(lease.shard));
    }
    await this.db.run(mysql.failHeads(this.scope, owner, items));
    const holds = await this.holding(owner, items, this.db);
    return items.map(holds);
  }

  async countCrash(owner: string, items: readonly ChannelWrite[]): Promise<(number | undefined)[]> {
    if (items.length === 0) return [];
    const counts = new Map<string, number>();
    const note = (rows: { channel: string; crashes: number | string }[]) => {
      for (const { channel, crashes } of rows) counts.set(channel, Number(crashes));
    };
    if (this.db.dialect.family === 'postgres') {
      note((await this.db.run<CrashRow>(postgres.countCrashes(this.scope, owner, items))).rows);
      return items.map(({ channel }) => counts.get(channel));
    }
    await this.db.run(mysql.countCrashes(this.scope, owner, items));
    note((await this.db.run<CrashRow>(mysql.selectCrashes(this.scope, destinationOf(items), channelsOf(items)))).rows);
    const holds = await this.holding(owner, items, this.db);
    return items.map((item) => (holds(item) ? counts.get(item.channel) : undefined));
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

  /** What stands in the way of channels of which nothing requeued is left. */
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

  /** `work` gets the items whose lease holds, which it does until the transaction has ended. */
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

  /** Whose lease holds; in a transaction until it has ended. */
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
