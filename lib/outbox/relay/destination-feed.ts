import type { Deliverer, Delivery } from './deliverer.js';
import type { ChannelBatch, EventSource } from './event-source.js';
import type { HeldShard, HeldShards } from './held-shards.js';
import { LateArrivals } from './late-arrivals.js';
import type { RelayObserver, RelayOptions } from './relay-options.js';
import { type Clock, stopwatch } from '../../time/clock.js';

/** The interval between two reads of requeued events. */
const REQUEUED_MS = 1_000;
/** The maximum number of channels with requeued events in memory. */
const REQUEUED_CHANNELS = 20;

export type FeedOptions = Pick<
  RelayOptions,
  'concurrency' | 'buffer' | 'channelsPerShard' | 'eventsPerChannel' | 'elapsed'
>;

interface Underway extends Delivery {
  /** The number of the read that returned it. */
  look: number;
}

/**
 * Reads the events of one destination and delivers as many channels at once as allowed. A channel in delivery is not
 * read again, so channels do not wait for each other, and each stays in order.
 */
export class DestinationFeed {
  private readonly busy = new Map<string, Underway>();
  private readonly queue: Underway[] = [];
  private delivering = 0;
  /** The number of events in memory. */
  private load = 0;
  private looks = 0;
  /** The number of channels whose batches were completed. */
  private ended = 0;
  private requeuedAt = Number.NEGATIVE_INFINITY;
  private hungry = false;
  private looking: Promise<unknown> = Promise.resolve();
  private stopped = false;
  private delivered: (() => void)[] = [];
  private readonly late = new LateArrivals();

  constructor(
    private readonly name: string,
    private readonly source: EventSource,
    private readonly shards: HeldShards,
    private readonly deliverer: Deliverer,
    private readonly observer: RelayObserver,
    /** `more`: read again at once. `soon`: events may have arrived. `idle`: no delivery of the shard is in progress. */
    private readonly on: { more: () => void; soon: () => void; idle: (held: HeldShard) => void },
    private readonly options: FeedOptions,
  ) {}

  start(): void {
    this.stopped = false;
  }

  /** Reads run one at a time. */
  tick(): Promise<'busy' | 'active' | 'idle'> {
    const look = this.looking.then(() => this.look());
    this.looking = look.catch(() => undefined);
    return look;
  }

  /** Delivers until nothing is left that can be delivered now. */
  async drain(): Promise<void> {
    this.requeuedAt = Number.NEGATIVE_INFINITY;
    for (let quiet = false; !quiet && !this.stopped;) {
      const before = this.ended;
      const state = await this.tick();
      // A batch that was completed during the read was skipped by it, so events after the batch were not read yet.
      quiet = state === 'idle' && this.busy.size === 0 && this.ended === before;
      if (state === 'idle' || this.isFull) await this.settled();
    }
  }

  /** Starts no more deliveries. Resolves when those in progress have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
    for (const delivery of this.queue.splice(0)) this.done(delivery);
    while (this.busy.size > 0) await this.settled();
  }

  /** Resolves when a channel's batch ends, or at once if none is in delivery. */
  private settled(): Promise<void> {
    return this.busy.size === 0 ? Promise.resolve() : new Promise((resolve) => this.delivered.push(resolve));
  }

  private get isFull(): boolean {
    return this.load >= this.options.buffer;
  }

  private async look(): Promise<'busy' | 'active' | 'idle'> {
    if (this.stopped) return 'idle';
    this.hungry = this.isFull;
    if (this.isFull) return 'active';
    const usable = this.shards.all(this.name).filter((held) => this.deliverer.mayStart(held));
    if (usable.length === 0) return 'idle';
    const found = (await this.lookForRequeued(usable)) + (await this.lookThrough(usable));
    const between = usable.some(({ after }) => after !== '');
    if (between) return this.goOn();
    return found > 0 ? 'active' : 'idle';
  }

  private goOn(): 'busy' | 'active' {
    if (!this.isFull) return 'busy';
    this.hungry = true;
    return 'active';
  }

  private async lookThrough(usable: readonly HeldShard[]): Promise<number> {
    const { channelsPerShard, eventsPerChannel, buffer } = this.options;
    const look = ++this.looks;
    const { batches, after } = await this.source.fetch({
      destination: this.name,
      shards: usable.map(({ lease, after: from }) => ({ shard: lease.shard, after: from })),
      channels: channelsPerShard,
      perChannel: eventsPerChannel,
      limit: Math.ceil(buffer / 2),
      busy: [...this.busy.keys()],
    });
    const byShard = new Map(usable.map((held) => [held.lease.shard, held]));
    for (const batch of batches) this.accept(batch, byShard.get(batch.shard), false, look);
    for (const [shard, channel] of after) this.advance(byShard.get(shard), channel);
    this.pump();
    const events = batches.reduce((sum, batch) => sum + batch.events.length, 0);
    this.observer.fetched?.({ destination: this.name, events });
    return events;
  }

  /** Once all its channels were read, the crashes of the last owner's deliveries are counted. */
  private advance(held: HeldShard | undefined, channel: string): void {
    if (!held) return;
    held.after = channel;
    if (channel === '') held.suspect = false;
  }

  private async lookForRequeued(usable: readonly HeldShard[]): Promise<number> {
    if (this.elapsed.now() - this.requeuedAt < REQUEUED_MS) return 0;
    this.requeuedAt = this.elapsed.now();
    const byShard = new Map(usable.map((held) => [held.lease.shard, held]));
    const batches = await this.source.requeued(this.name, [...byShard.keys()], REQUEUED_CHANNELS);
    const free = batches.filter(({ channel }) => !this.busy.has(channel));
    for (const batch of free) this.accept(batch, byShard.get(batch.shard), true, this.looks);
    return free.length;
  }

  private accept(batch: ChannelBatch, held: HeldShard | undefined, requeued: boolean, look: number): void {
    if (!held || held.lost || held.draining || this.stopped) return;
    // A requeued channel without events is a delivery too: its state must be cleared.
    if (!requeued && batch.events.length === 0) return;
    const delivery: Underway = { ...batch, held, requeued, look, suspect: held.suspect };
    const first = batch.events[0]?.sequenceId ?? '';
    if (!requeued && this.late.isLate(batch.channel, first))
      this.observer.late?.({ destination: this.name, channel: batch.channel, sequenceId: first });
    this.busy.set(batch.channel, delivery);
    this.queue.push(delivery);
    this.load += batch.events.length;
    held.underway++;
  }

  private pump(): void {
    while (this.delivering < this.options.concurrency && this.queue.length > 0) {
      const delivery = this.queue.shift()!;
      this.delivering++;
      void this.run(delivery);
    }
  }

  private async run(delivery: Underway): Promise<void> {
    try {
      const { settled } = await this.deliverer.deliverBatch(delivery);
      this.delivering--;
      this.pump();
      await settled;
    } catch (error) {
      // Only bugs of this code reach this point.
      this.observer.error?.(error);
    }
    this.done(delivery);
  }

  private done(delivery: Underway): void {
    const { channel, events, held, look, requeued } = delivery;
    this.busy.delete(channel);
    this.ended++;
    if (!requeued && delivery.reached !== undefined) this.late.delivered(channel, delivery.reached);
    this.load -= events.length;
    held.underway--;
    if (held.underway === 0) this.on.idle(held);
    for (const resolve of this.delivered.splice(0)) resolve();
    if (this.stopped) return;
    if (requeued) this.requeuedAt = Number.NEGATIVE_INFINITY;
    const full = requeued || events.length >= this.options.eventsPerChannel;
    if (full || (this.hungry && this.load < this.options.buffer / 2)) this.on.more();
    // Reads during the delivery skipped this channel, so new events of it were not found.
    else if (look < this.looks) this.on.soon();
  }

  private get elapsed(): Clock {
    return this.options.elapsed ?? stopwatch;
  }
}
