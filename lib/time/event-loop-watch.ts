import { stopwatch } from './clock.js';

/** How often the watch looks. */
const BEAT_MS = 250;
/** Shorter ones are how timers are. */
const SHORTEST_MS = 20;
/** Blocks that ended longer ago are forgotten. */
const KEPT_MS = 60_000;

/** Notices when this process's event loop was blocked: a timer fires too late. Costs one timer. */
export class EventLoopWatch {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = 0;
  /** The longest first; each shorter one ended later, so that it counts for longer. */
  private blocks: { endedAt: number; ms: number }[] = [];

  /** Begins to watch, if it does not yet; it does not keep the process alive. */
  start(): void {
    if (this.timer) return;
    this.arm();
    this.timer = setInterval(() => this.beat(), BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** The longest block that ended within the last `ms`, at most a minute, or still lasts; in ms. */
  longestWithin(ms: number): number {
    const now = stopwatch.now();
    const late = this.timer ? Math.max(0, now - this.dueAt) : 0;
    return this.blocks.reduce((most, block) => (block.endedAt >= now - ms ? Math.max(most, block.ms) : most), late);
  }

  private beat(): void {
    const now = stopwatch.now();
    const ms = now - this.dueAt;
    this.blocks = this.blocks.filter((block) => block.ms > ms && block.endedAt > now - KEPT_MS);
    if (ms >= SHORTEST_MS) this.blocks.push({ endedAt: now, ms });
    this.arm();
  }

  private arm(): void {
    this.dueAt = stopwatch.now() + BEAT_MS;
  }
}
