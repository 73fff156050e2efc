import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type Duration, toMs } from '../time/duration.js';
import { EventLoopWatch } from '../time/event-loop-watch.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE } from './durable.tokens.js';
import type { DurableSettings } from './durable-options.js';
import { type HealthReport, reportOn } from './health-report.js';
import { type Liveness, livenessOf } from './liveness.js';
import { PRESENCE_LEASE_MS } from './presence.js';
import { ProcessRuntime } from './process-runtime.js';
import { type Readiness, ReadinessCheck } from './readiness.js';
import type { Storage } from './storage.providers.js';

export type { HealthReport, Liveness, Readiness };

export interface ReadinessOptions {
  /** How long the database may take to answer. Default `'3s'`. */
  timeout?: Duration;
}

const READINESS_OPTIONS = { timeout: true } satisfies KnownOptions<ReadinessOptions>;

/**
 * For probes: whether this process lives, whether it can work, and what there is to know.
 *
 * @example
 * \@Get('live')
 * live(\@Res({ passthrough: true }) response: Response) {
 *   const liveness = this.health.liveness();
 *   response.status(liveness.ok ? 200 : 503);
 *   return liveness;
 * }
 */
@Injectable()
export class DurableHealth implements BeforeApplicationShutdown {
  readonly #eventLoop = new EventLoopWatch();
  readonly #settings: DurableSettings;
  readonly #storage: Storage;
  readonly #runtime: ProcessRuntime;
  readonly #check: ReadinessCheck;

  constructor(
    @Inject(DURABLE_SETTINGS) settings: DurableSettings,
    @Inject(DURABLE_STORAGE) storage: Storage,
    @Inject(ProcessRuntime) runtime: ProcessRuntime,
  ) {
    this.#settings = settings;
    this.#storage = storage;
    this.#runtime = runtime;
    this.#check = new ReadinessCheck({ storage, vitals: () => runtime.vitals });
  }

  /**
   * Whether this process still works: its loops tick, and its event loop is not blocked for so long that leases expire.
   * Never asks the database, so an outage of it ends no process. The first call begins to watch the event loop. A process
   * that is starting or stopping is alive.
   */
  liveness(): Liveness {
    this.#eventLoop.start();
    const { state, loops } = this.#runtime.vitals;
    const leaseMs = shortestLease(this.#settings);
    const blockedMs = this.#eventLoop.longestWithin(leaseMs);
    return livenessOf({ loops: state === 'running' ? loops : {}, blockedMs, leaseMs });
  }

  /**
   * Whether this process can do its work now: it has started and does not stop, the database answers in time, its tables
   * have all migrations, and the process is signed in. Never throws for what it finds.
   */
  async readiness(options: ReadinessOptions = {}): Promise<Readiness> {
    const { timeout = '3s' } = checkedOptions(options, READINESS_OPTIONS, 'DurableHealth.readiness');
    return this.#check.ask(toMs(timeout, 'timeout'));
  }

  /** What is known of this process and of the work that waits: to look at, and not for probes. Each read is bounded. */
  async report(): Promise<HealthReport> {
    const liveness = this.liveness();
    const readiness = await this.readiness();
    const { vitals, parts } = this.#runtime;
    return reportOn({ ...parts, settings: this.#settings, storage: this.#storage, vitals, liveness, readiness });
  }

  beforeApplicationShutdown(): void {
    this.#eventLoop.stop();
  }
}

/** The shortest of the leases that this process renews. */
function shortestLease({ engine, worker }: DurableSettings): number {
  const leases = [engine ? engine.nodeLeaseMs : PRESENCE_LEASE_MS, worker ? worker.leaseMs : PRESENCE_LEASE_MS];
  return Math.min(...leases);
}
