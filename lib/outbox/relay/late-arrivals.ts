/** The maximum number of channels whose last number is remembered. */
const CHANNELS = 10_000;

/**
 * Detects events that became visible after later ones of their channel were delivered. Only writers of other programs
 * or `ordering: 'none'` can cause this. Remembers the most recent channels.
 */
export class LateArrivals {
  private readonly last = new Map<string, number>();

  /** Whether a delivery that starts with this number follows a greater one. */
  isLate(channel: string, first: string): boolean {
    return Number(first) < (this.last.get(channel) ?? 0);
  }

  delivered(channel: string, last: string): void {
    const before = this.last.get(channel) ?? 0;
    this.last.delete(channel);
    this.last.set(channel, Math.max(before, Number(last)));
    if (this.last.size <= CHANNELS) return;
    for (const oldest of this.last.keys()) return void this.last.delete(oldest);
  }
}
