import type { NodeLoad } from '../engine/model/node-record.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { EventLoopDelay } from '../time/event-loop-delay.js';
import type { Storage } from './storage.providers.js';

interface Sizes {
  /** Remote steps that run. */
  steps: number;
  /** Runs in memory. */
  residents: number;
}

/** What this process has to do and how it does, as its heartbeats tell. */
export class ProcessLoad {
  /** As of the last heartbeat. */
  last: NodeLoad | null = null;
  private readonly eventLoop = new EventLoopDelay();
  private errors = 0;

  constructor(
    private readonly storage: Pick<Storage, 'poolCounts' | 'notifier'>,
    private readonly sizes: () => Sizes,
    telemetry: Telemetry,
  ) {
    telemetry.on('loop.error', () => this.errors++);
  }

  start(): void {
    this.eventLoop.start();
  }

  stop(): void {
    this.eventLoop.stop();
  }

  /** At a heartbeat: the event loop is measured from one to the next. */
  measure(): NodeLoad {
    const { poolCounts, notifier } = this.storage;
    const pool = poolCounts?.();
    this.last = {
      ...this.sizes(),
      eventLoopP99Ms: this.eventLoop.takeP99Ms(),
      pool: pool ? { used: pool.used, most: pool.most ?? null, waiting: pool.pending } : null,
      errors: this.errors,
      notifications: notifier.live ? 'listening' : 'polling',
    };
    return this.last;
  }
}
