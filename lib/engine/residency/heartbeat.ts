import { type Clock, type SynchronizedClock, stopwatch } from '../../time/clock.js';
import type { Activation } from '../activation/activation.js';
import type { NodeIdentity } from '../model/node-record.js';
import type { Beat, Elsewhere, NodeRoster } from '../model/node-roster.js';
import type { ResidentRuns } from './resident-runs.js';
import type { RunClaimer } from './run-claimer.js';
import type { RunClaim, RunStore } from '../model/run-store.js';
import { WriterWatch } from '../nodes/writer-watch.js';

export interface HeartbeatOptions {
  node: NodeIdentity;
  leaseMs: number;
  /** Called with the number of runs of dead processes that were released. */
  onReaped: (runs: number) => void;
  /** Called with nodes that keep writing through another server of the cluster than this process. */
  onSplit?: (others: readonly Elsewhere[]) => void;
  /** Called with whether this process must begin nothing new, at every beat. */
  onDraining?: ((draining: boolean) => void) | undefined;
  /** Called with every beat. */
  onBeat?: () => Promise<void> | undefined;
  /** Whether other code of this process is releasing the claim. Default: never. */
  isGivenBack?: (claim: RunClaim) => boolean;
  /** Measures the time since the last beat. Default: this process's monotonic clock. */
  elapsed?: Clock;
}

const REAP_LIMIT = 500;
/** Suspect runs have crashed three owners, so a claim for them is usually made only every sixth beat. */
const SUSPECT_EVERY = 6;

/** Renews this node's lease, releases the runs of dead nodes, and drops runs that this process no longer owns. */
export class Heartbeat {
  private beats = 0;
  /** Runs that this node owned at the last beat, but that were not resident. */
  private astray: ReadonlySet<string> = new Set();
  /** The claims that were in progress then. */
  private claims: readonly object[] = [];
  /** The time of the last beat, here and by the storage's clock. */
  private last: { beatAt: number; now: number } | undefined;
  private readonly writers = new WriterWatch();
  private judgesFrom = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly roster: NodeRoster,
    private readonly store: RunStore,
    private readonly residents: ResidentRuns,
    private readonly claimer: RunClaimer,
    private readonly clock: SynchronizedClock | undefined,
    private readonly options: HeartbeatOptions,
  ) {}

  async tick(): Promise<'busy' | 'idle'> {
    const beat = this.beats++;
    const { node, leaseMs } = this.options;
    const before = this.residents.all();
    const { now, draining, owned, orphans, elsewhere } = await this.roster.pulse(node, leaseMs);
    this.heard({ now, draining });
    await this.options.onBeat?.();
    const others = this.writers.look(elsewhere);
    if (others.length > 0) this.options.onSplit?.(others);
    await this.compare(before, owned);
    const reaped = orphans && this.mayJudge ? await this.roster.reap(REAP_LIMIT) : 0;
    if (reaped > 0) this.options.onReaped(reaped);
    if (beat % SUSPECT_EVERY === 0 || this.claimer.expectsSuspects) await this.claimer.claimSuspect();
    return reaped >= REAP_LIMIT ? 'busy' : 'idle';
  }

  async beat(): Promise<void> {
    const { node, leaseMs } = this.options;
    this.heard(await this.roster.beat(node, leaseMs));
  }

  private heard({ now, draining }: Beat): void {
    this.options.onDraining?.(draining);
    this.clock?.set(now);
    const beatAt = this.elapsed.now();
    if (this.last && this.isOutOfStep(beatAt - this.last.beatAt, now - this.last.now))
      this.judgesFrom = beatAt + this.options.leaseMs;
    this.last = { beatAt, now };
  }

  /**
   * Whether leases may have expired although their owners live: beats failed, or the database's clock jumped forward,
   * for example at a failover. With this process's own clock, a jump cannot be detected.
   */
  private isOutOfStep(passedMs: number, passedThereMs: number): boolean {
    const { leaseMs } = this.options;
    const isAhead = this.clock !== undefined && passedThereMs - passedMs > leaseMs / 3;
    return isAhead || passedMs > (leaseMs * 2) / 3;
  }

  /**
   * After this process has missed beats, it cannot distinguish dead nodes from nodes that missed theirs for the same
   * reason: after an outage of the database, or a jump of its clock, the first node to beat would release the runs of
   * all others. So the others get the time of one lease to come back.
   */
  private get mayJudge(): boolean {
    return this.elapsed.now() >= this.judgesFrom;
  }

  private get elapsed(): Clock {
    return this.options.elapsed ?? stopwatch;
  }

  /**
   * Drops resident runs that were cancelled, or released because this process seemed dead: the notification may be
   * lost. Also releases runs that this node owns but that are not resident: the reply to their claim was lost, and no
   * other node would claim them. It does so only at the second beat in a row, since a final write may be in progress;
   * and not while a claim is in progress since the first beat, nor for claims that other code is releasing.
   */
  private async compare(before: readonly Activation[], owned: readonly RunClaim[]): Promise<void> {
    const claims = new Set(owned.map(keyOf));
    const isOurs = ({ run: { id: runId, epoch } }: Activation) => claims.has(keyOf({ runId, epoch }));
    for (const activation of before) if (!activation.closed && !isOurs(activation)) activation.drop();
    const { isGivenBack = () => false } = this.options;
    const astray = owned.filter((claim) => !this.residents.get(claim.runId) && !isGivenBack(claim));
    const lost = astray.filter((claim) => this.astray.has(keyOf(claim)));
    this.astray = new Set(astray.map(keyOf));
    const { underWay } = this.claimer;
    const mayCome = underWay.some((claim) => this.claims.includes(claim));
    this.claims = underWay;
    if (lost.length > 0 && !mayCome) await this.store.release(lost, false);
  }
}

/** A key for claims of this process. */
const keyOf = ({ runId, epoch }: Omit<RunClaim, 'owner'>): string => `${epoch}:${runId}`;
