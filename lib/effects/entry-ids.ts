import { randomBytes } from 'node:crypto';
import type { Clock } from '../time/clock.js';

const COUNTS = 2 ** 12;

/**
 * Ids of calls: UUIDs (version 7) that grow with time and, within a process, one after the other. So calls of one
 * operation are claimed in the order given, and new rows go to one end of an index. No order between processes.
 */
export class EntryIds {
  private ms = 0;
  private count = 0;

  constructor(private readonly clock: Clock) {}

  next(): string {
    this.tick();
    const random = randomBytes(8);
    // The variant, in the highest two bits.
    random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
    const hex = this.ms.toString(16).padStart(12, '0') + (0x7000 + this.count).toString(16) + random.toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  /** Never back, also when the clock goes back; where a millisecond is full, into the next. */
  private tick(): void {
    const now = this.clock.now();
    this.count = now > this.ms ? 0 : this.count + 1;
    this.ms = Math.max(this.ms, now);
    if (this.count < COUNTS) return;
    this.ms++;
    this.count = 0;
  }
}
