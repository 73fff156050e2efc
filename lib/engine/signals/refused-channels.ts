import { backoffMs } from '../../time/backoff.js';
import { type Clock, stopwatch } from '../../time/clock.js';

const RARELY = { delay: '1s', factor: 2, maxDelay: '1m', jitter: 'none' } as const;

/** Channels whose deliveries the database refuses, and when each is retried. */
export class RefusedChannels {
  private readonly byChannel = new Map<string, { refusals: number; dueAt: number }>();
  private readonly refused = new Set<string>();

  constructor(private readonly clock: Clock = stopwatch) {}

  get all(): ReadonlySet<string> {
    return this.refused;
  }

  add(channel: string): void {
    const refusals = (this.byChannel.get(channel)?.refusals ?? 0) + 1;
    // Moved to the end, so that due channels take turns.
    this.byChannel.delete(channel);
    this.byChannel.set(channel, { refusals, dueAt: this.clock.now() + backoffMs(refusals, RARELY) });
    this.refused.add(channel);
  }

  delete(channel: string): void {
    this.byChannel.delete(channel);
    this.refused.delete(channel);
  }

  hasAny(channels: readonly string[]): boolean {
    return channels.some((channel) => this.refused.has(channel));
  }

  /** The channels to retry now, at most `most`. */
  due(most: number): string[] {
    const now = this.clock.now();
    const due: string[] = [];
    for (const [channel, { dueAt }] of this.byChannel) {
      if (due.length === most) break;
      if (dueAt <= now) due.push(channel);
    }
    return due;
  }
}
