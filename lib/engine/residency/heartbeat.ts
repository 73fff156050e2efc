import { type Clock, type SynchronizedClock, stopwatch } from '../../time/clock.js';
import type { Activation } from '../activation/activation.js';
import type { Elsewhere, NodeIdentity, NodeRoster } from '../model/node-roster.js';
import type { ResidentRuns } from './resident-runs.js';
import type { RunClaimer } from './run-claimer.js';
import type { RunClaim, RunStore } from '../model/run-store.js';
import { WriterWatch } from '../nodes/writer-watch.js';

export interface HeartbeatOptions {
  node: NodeIdentity;
  leaseMs: number;
  /** Told how many runs of dead processes were set free. */
  onReaped: (runs: number) => void;
  /** Told who goes on writing through another server of the cluster than this process. */
  onSplit?: (others: readonly Elsewhere[]) => void;
  /** Whether somebody here is giving a claim back, with a word on what becomes of its run. Default: nobody is. */
  isGivenBack?: (claim: RunClaim) => boolean;
  /** Tells how long ago the last beat was. Default: this machine's. */
  elapsed?: Clock;
}

const REAP_LIMIT = 500;
/** Whoever killed three processes can wait. */
const SUSPECT_EVERY = 6;

/** Says that this process lives, notices those that do not, and which runs are no longer ours. */
export class Heartbeat {
  private beats = 0;
  /** Runs that were ours without being here, at the last beat. */
  private astray: ReadonlySet<string> = new Set();
  /** The claims that were under way then. */
  private claims: readonly object[] = [];
  /** When the last beat was heard, and the storage's time then. */
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
    const { now, owned, orphans, elsewhere } = await this.roster.pulse(node, leaseMs);
    this.heard(now);
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

  private heard(now: number): void {
    this.clock?.set(now);
    const beatAt = this.elapsed.now();
    if (this.last && this.isOutOfStep(beatAt - this.last.beatAt, now - this.last.now))
      this.judgesFrom = beatAt + this.options.leaseMs;
    this.last = { beatAt, now };
  }

  /**
   * Whether leases may have run out for a reason that is not their owners': no beat got through, or the database's clock
   * was put forward, as when another server takes over. A clock of this process's own is no judge of that.
   */
  private isOutOfStep(passedMs: number, passedThereMs: number): boolean {
    const { leaseMs } = this.options;
    const isAhead = this.clock !== undefined && passedThereMs - passedMs > leaseMs / 3;
    return isAhead || passedMs > (leaseMs * 2) / 3;
  }

  /**
   * Whoever has missed a beat cannot tell the dead from those who missed theirs for the same reason: after a database
   * was away, or its clock put forward, the first to beat would take the runs of all others. So they get the time of a
   * lease to come back.
   */
  private get mayJudge(): boolean {
    return this.elapsed.now() >= this.judgesFrom;
  }

  private get elapsed(): Clock {
    return this.options.elapsed ?? stopwatch;
  }

  /**
   * Drops runs that were cancelled, or taken because this process seemed dead: the notification may not have come. And
   * gives back those that are ours without being here: the reply to their claim was lost, and while this process lives
   * nobody else would take them. Acts only on the second sighting, since a last word may just be on its way; and not while a claim is under
   * way that was so at the first time, nor what somebody else here is giving back.
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

/** Of claims of this process. */
const keyOf = ({ runId, epoch }: Omit<RunClaim, 'owner'>): string => `${epoch}:${runId}`;
