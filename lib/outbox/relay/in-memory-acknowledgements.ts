import type { Acknowledged, Acknowledgements, Buried, ChannelWrite, FailedHead } from './acknowledgements.js';
import { type HeldChannel, keyOf, type MemoryOutbox } from './memory-outbox.js';

/** Delivered and failed events in maps. */
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
      if (item.blocks) row.state = 'blocked';
      return true;
    });
  }

  async countCrash(owner: string, items: readonly ChannelWrite[]): Promise<(number | undefined)[]> {
    return items.map((item) => (this.held(owner, item) ? ++this.rowOf(item).crashes : undefined));
  }

  async bury(owner: string, items: readonly Buried[]): Promise<boolean[]> {
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const { event, attempts, reason, error, channel, lease, requeued } = item;
      if (!requeued && !this.end({ lease, channel, ids: [event.sequenceId], clears: true })) return false;
      const { destination } = lease;
      const failedAt = this.tables.clock.now();
      const dead = { ...event, destination, attempts, reason, error, failedAt };
      this.tables.dead.set(keyOf(destination, event.sequenceId), dead);
      if (item.parksChannel) Object.assign(this.rowOf(item), CALM, { state: 'parked', failedAt });
      return true;
    });
  }

  async acknowledgeRequeued(owner: string, items: readonly Acknowledged[]): Promise<boolean[]> {
    return items.map((item) => {
      if (!this.held(owner, item)) return false;
      const { destination } = item.lease;
      for (const id of item.ids) this.tables.dead.delete(keyOf(destination, id));
      const left = this.tables.deadOf(destination, item.channel);
      if (left.some(({ reason }) => reason === 'requeued')) return true;
      const state = left.some(({ reason }) => reason === 'behind') ? 'parked' : undefined;
      Object.assign(this.rowOf(item), CALM, { state });
      return true;
    });
  }

  async tidy(slots: readonly number[]): Promise<number> {
    const channels = slots.flatMap((slot) => this.tables.channelsOf(slot));
    return channels.reduce((sum, channel) => sum + this.tables.endPassed(channel), 0);
  }

  private held(owner: string, { lease }: ChannelWrite): boolean {
    return this.tables.holds(owner, lease);
  }

  private rowOf({ lease, channel }: ChannelWrite): HeldChannel {
    return this.tables.channel(lease.destination, channel);
  }

  private end(item: Acknowledged): boolean {
    const row = this.rowOf(item);
    if (row.state === undefined) Object.assign(row, CALM, { error: null, failedAt: null });
    return this.tables.end(item.lease.destination, item.channel, item.ids);
  }
}

const CALM = { attempts: 0, crashes: 0, availableAt: undefined };
