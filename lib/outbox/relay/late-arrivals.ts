/** Channels whose last number is remembered. */
const CHANNELS = 10_000;

/**
 * Notices events that became visible after later ones of their channel had been delivered, which writers that take
 * their turns never cause: those of another program, or `ordering: 'none'`. Remembers the channels seen last.
 */
export class LateArrivals {
  private readonly last = new Map<string, number>();

  /** Whether a delivery that begins with this number comes after a greater one. */
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
