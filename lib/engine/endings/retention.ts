import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import { type Loops, PollLoop } from '../../time/poll-loop.js';
import type { BackgroundService } from '../model/background-service.js';
import type { EngineStorage } from '../model/engine-storage.js';
import type { SignalCursor } from '../model/mailbox.js';
import type { RunStatus } from '../model/run.js';
import { givingUp } from './giving-up.js';

/** What is deleted automatically, and when. */
export interface RetentionPolicy {
  /** By final status: how long runs are kept, in ms. Runs with other statuses are kept forever. */
  keepMs: Readonly<Partial<Record<RunStatus, number>>>;
  /** How long signals are kept that nobody takes any more, and all signals to keys, in ms; null: forever. */
  signalsMs: number | null;
  /** The most runs deleted in one transaction. */
  batchSize: number;
  everyMs: number;
}

/** The policy that deletes no runs and no signals. */
export const KEEP_ALL: RetentionPolicy = { keepMs: {}, signalsMs: null, batchSize: 500, everyMs: 60_000 };

export interface RetentionPorts {
  storage: Pick<EngineStorage, 'removal' | 'signalRemoval' | 'roster' | 'dispatcher' | 'answers' | 'catalog'>;
  telemetry: Telemetry;
  clock: Clock;
  namespace: string;
  /** What others delete by the app's policy. */
  others?: readonly Purging[] | undefined;
}

/** Something outside of the engine that ends and stays. */
export interface Purging {
  /** For the event: `effects`. */
  what: string;
  /** Deletes up to `limit` of the oldest rows whose time is over, in one transaction. Returns how many. */
  purge: (limit: number) => Promise<number>;
}

/** The age at which an answer to a missing run is deleted; other users of the tables take theirs much earlier. */
const STRAY_MS = 86_400_000;
const LOOK_AT = 500;

/**
 * Slowly deletes old data: runs and signals by the app's policy; and, independent of the policy, rows of dead
 * processes, expired start keys, and answers to runs that do not exist. Any number of processes can do so at the same
 * time: each skips rows that others have locked.
 */
export class Retention implements BackgroundService {
  private readonly loop: PollLoop;
  private begun = false;
  /** Where the next look at signals to runs goes on. */
  private cursor: SignalCursor | undefined;

  constructor(
    private readonly ports: RetentionPorts,
    private readonly policy: RetentionPolicy = KEEP_ALL,
  ) {
    const { telemetry } = ports;
    this.loop = new PollLoop(() => this.tick(), {
      maxMs: policy.everyMs,
      onError: (error) => telemetry.emit('loop.error', { loop: 'retention', error }),
    });
  }

  get loops(): Loops {
    return { retention: this.loop };
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** The first tick only naps, since a starting process has more urgent work. */
  private async tick(): Promise<'busy' | 'idle'> {
    if (!this.begun) {
      this.begun = true;
      return 'idle';
    }
    return this.look();
  }

  /** Deletes one batch of each kind. */
  async look(): Promise<'busy' | 'idle'> {
    const { roster, removal } = this.ports.storage;
    const runs = await this.purgeRuns();
    const signals = await this.purgeSignals();
    const others = await this.purgeOthers();
    const keys = await removal.tidy(LOOK_AT);
    await this.takeStrays();
    await roster.strikeOff();
    return Math.max(runs, signals, others, keys) > 0 ? 'busy' : 'idle';
  }

  private async purgeRuns(): Promise<number> {
    const { storage, telemetry, namespace } = this.ports;
    const { keepMs, batchSize: limit } = this.policy;
    let purged = 0;
    for (const [status, olderThanMs] of Object.entries(keepMs)) {
      const request = { namespace, status: [status as RunStatus], olderThanMs, limit };
      purged += await storage.removal.purge(request, givingUp(storage));
    }
    if (purged > 0) telemetry.emit('runs.purged', { runs: purged });
    return purged;
  }

  private async purgeSignals(): Promise<number> {
    const { signalsMs, batchSize } = this.policy;
    if (signalsMs === null) return 0;
    const { storage, namespace } = this.ports;
    const request = { namespace, olderThanMs: signalsMs, limit: batchSize };
    const ofKeys = await storage.signalRemoval.purgeOfKeys(request);
    const { purged, next } = await storage.signalRemoval.purgeOfRuns(request, this.cursor);
    this.cursor = next;
    this.told('signals', ofKeys + purged);
    return ofKeys + purged;
  }

  private async purgeOthers(): Promise<number> {
    let most = 0;
    for (const { what, purge } of this.ports.others ?? []) {
      const rows = await purge(this.policy.batchSize);
      this.told(what, rows);
      most = Math.max(most, rows);
    }
    return most;
  }

  private told(what: string, rows: number): void {
    if (rows > 0) this.ports.telemetry.emit('rows.purged', { what, rows });
  }

  /** Deletes answers that no run will ever take; otherwise they would be read again and again. */
  private async takeStrays(): Promise<void> {
    const { storage, clock } = this.ports;
    const before = clock.now() - STRAY_MS;
    const { answers } = await storage.dispatcher.peek(LOOK_AT);
    const old = answers.filter(({ createdAt }) => createdAt < before);
    if (old.length === 0) return;
    const found = new Set((await storage.catalog.find(old.map(({ runId }) => runId))).map(({ id }) => id));
    const strays = old.filter(({ runId }) => !found.has(runId)).map(({ stepId }) => stepId);
    if (strays.length > 0) await storage.dispatcher.take(strays);
  }
}
