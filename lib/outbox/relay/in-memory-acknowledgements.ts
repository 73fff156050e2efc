import {
  type Acknowledged,
  type Acknowledgements,
  type ChannelWrite,
  type DeadLettered,
  type FailedHead,
  followsRequeued,
} from './event-source.js';
import type { DeadEvent } from './dead-letters.js';
import { type HeldChannel, keyOf, type MemoryOutbox } from './memory-outbox.js';

/** Stores results of deliveries in maps. */
export class InMemoryAcknowledgements implements Acknowledgements {
  constructor(private readonly tables: MemoryOutbox) {}

  async acknowledge(owner: string, items: readonly Acknowledged[]): Promise<boolean[]> {
    return items.map((item) => this.held(owner, item) && this.end(item));
  }

  async fail(owner: string, items: readonly FailedHead[]): Promise<boolean[]> {
    const now = this.tables.clock.now();
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const row = this.rowOf(item);
      const attempts = row.attempts + item.counts;
      Object.assign(row, { attempts, crashes: 0, availableAt: now + item.delayMs, error: item.error, failedAt: now });
      if (item.blocks && row.state !== 'requeued') row.state = 'blocked';
      return true;
    });
  }

  async countCrash(owner: string, items: readonly ChannelWrite[]): Promise<(number | undefined)[]> {
    return items.map((item) => (this.held(owner, item) ? ++this.rowOf(item).crashes : undefined));
  }

  async deadLetter(owner: string, items: readonly DeadLettered[]): Promise<boolean[]> {
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const { event, channel, lease, requeued, parksChannel } = item;
      if (!requeued && !this.end({ lease, channel, ids: [event.sequenceId], clears: true })) return false;
      const row = this.rowOf(item);
      const failedAt = this.tables.clock.now();
      const follows = followsRequeued(item, row.state);
      this.putDead(item, follows ? 'requeued' : item.reason, failedAt);
      if (parksChannel && !follows) Object.assign(row, CALM, { state: 'parked', failedAt });
      else if (requeued) Object.assign(row, CALM);
      return true;
    });
  }

  async acknowledgeRequeued(owner: string, items: readonly Acknowledged[]): Promise<boolean[]> {
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const { destination } = item.lease;
      const row = this.rowOf(item);
      for (const id of item.ids) this.tables.dead.delete(keyOf(destination, id));
      if (item.ids.length > 0) Object.assign(row, CALM);
      if (row.state !== 'requeued') return true;
      const left = this.tables.deadOf(destination, item.channel);
      if (left.some(({ reason }) => reason === 'requeued')) return true;
      const state = left.some(({ reason }) => reason === 'behind') ? 'parked' : undefined;
      Object.assign(row, CALM, { state });
      return true;
    });
  }

  async tidy(shards: readonly number[]): Promise<number> {
    const channels = shards.flatMap((shard) => this.tables.channelsOf(shard));
    return channels.reduce((sum, channel) => sum + this.tables.endPassed(channel), 0);
  }

  private held(owner: string, { lease }: ChannelWrite): boolean {
    return this.tables.holds(owner, lease);
  }

  private rowOf({ lease, channel }: ChannelWrite): HeldChannel {
    return this.tables.channel(lease.destination, channel);
  }

  private putDead(
    { event, lease, attempts, error }: DeadLettered,
    reason: DeadEvent['reason'],
    failedAt: number,
  ): void {
    const { destination } = lease;
    const dead = { ...event, destination, attempts, reason, error, failedAt };
    this.tables.dead.set(keyOf(destination, event.sequenceId), dead);
  }

  private end(item: Acknowledged): boolean {
    const row = this.rowOf(item);
    if (row.state === undefined) Object.assign(row, CALM, { error: null, failedAt: null });
    return this.tables.end(item.lease.destination, item.channel, item.ids);
  }
}

const CALM = { attempts: 0, crashes: 0, availableAt: undefined };
