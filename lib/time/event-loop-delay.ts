import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is looked at: often enough for a percentile, at the cost of one timer. */
const EVERY_MS = 50;

/** Measures how late timers of this process fire, since it was last read. Does not keep the process alive. */
export class EventLoopDelay {
  private histogram: IntervalHistogram | undefined;

  start(): void {
    this.histogram ??= monitorEventLoopDelay({ resolution: EVERY_MS });
    this.histogram.enable();
  }

  stop(): void {
    this.histogram?.disable();
    this.histogram = undefined;
  }

  /** The 99th percentile in ms, without the pause between two looks; the next read begins anew. 0 if it does not run. */
  takeP99Ms(): number {
    const { histogram } = this;
    if (!histogram) return 0;
    const ms = histogram.percentile(99) / 1e6 - EVERY_MS;
    histogram.reset();
    return Math.max(0, Math.round(ms * 10) / 10);
  }
}
