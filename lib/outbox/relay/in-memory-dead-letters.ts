import type { ChannelLag, DeadEvent, DeadLetters, DeadQuery, StandingChannel } from './dead-letters.js';
import { keyOf, type MemoryOutbox } from './memory-outbox.js';

const CALM = { attempts: 0, crashes: 0, availableAt: undefined, state: undefined };

/** Dead events in a map. */
export class InMemoryDeadLetters implements DeadLetters {
  constructor(private readonly tables: MemoryOutbox) {}

  async list({ destination, channel, limit, after = '0' }: DeadQuery): Promise<DeadEvent[]> {
    const all = this.tables.deadOf(destination, channel);
    return all.filter(({ sequenceId }) => BigInt(sequenceId) > BigInt(after)).slice(0, limit);
  }

  async requeue(destination: string, channel: string, sequenceIds?: readonly string[]): Promise<number> {
    const all = this.tables.deadOf(destination, channel);
    const some = all.filter(({ sequenceId }) => sequenceIds?.includes(sequenceId) ?? true);
    for (const event of some)
      this.tables.dead.set(keyOf(destination, event.sequenceId), { ...event, reason: 'requeued' });
    if (some.length > 0) Object.assign(this.tables.channel(destination, channel), CALM, { state: 'requeued' });
    return some.length;
  }

  async skip(destination: string, channel: string): Promise<boolean> {
    const row = this.tables.channel(destination, channel);
    if (row.state !== 'blocked') return false;
    const [event] = this.tables.waiting(destination, channel);
    if (event) {
      const { attempts, error } = row;
      const dead = { ...event, destination, attempts, error, reason: 'skipped', failedAt: this.tables.clock.now() };
      this.tables.dead.set(keyOf(destination, event.sequenceId), dead);
      this.tables.end(destination, channel, [event.sequenceId]);
    }
    Object.assign(row, CALM);
    return true;
  }

  async retry(destination: string, channel: string): Promise<boolean> {
    const row = this.tables.channel(destination, channel);
    if (row.state !== 'blocked') return false;
    Object.assign(row, CALM);
    return true;
  }

  async retryAll(destination: string): Promise<number> {
    const rows = [...this.tables.channels].filter(([key]) => key.startsWith(`${destination}\n`));
    const blocked = rows.filter(([, { state }]) => state === 'blocked');
    for (const [, row] of blocked) Object.assign(row, CALM);
    return blocked.length;
  }

  async standing(destination: string, limit: number): Promise<StandingChannel[]> {
    const standing: StandingChannel[] = [];
    for (const [key, { state, attempts, error, failedAt }] of this.tables.channels) {
      const channel = key.slice(destination.length + 1);
      if (state && key.startsWith(`${destination}\n`))
        standing.push({ destination, channel, state, attempts, error, failedAt });
    }
    return standing.sort((a, b) => (a.state + a.channel < b.state + b.channel ? -1 : 1)).slice(0, limit);
  }

  async lag(destination: string, limit: number, atMost: number): Promise<ChannelLag[]> {
    const lags = [...this.tables.pending.keys()].map((channel) => ({
      channel,
      pending: Math.min(atMost, this.tables.waiting(destination, channel).length),
    }));
    return lags
      .filter(({ pending }) => pending > 0)
      .sort((a, b) => b.pending - a.pending || (a.channel < b.channel ? -1 : 1))
      .slice(0, limit);
  }
}
