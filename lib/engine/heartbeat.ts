import type { SynchronizedClock } from '../time/synchronized-clock.js';
import type { NodeIdentity, NodeRoster } from './node-roster.js';
import type { Residents } from './residents.js';
import type { RunClaimer } from './run-claimer.js';
import type { RunClaim, RunStore } from './run-store.js';

export interface HeartbeatOptions {
  node: NodeIdentity;
  leaseMs: number;
  /** Told how many runs of dead processes were set free. */
  onReaped: (runs: number) => void;
}

const REAP_LIMIT = 500;
/** Whoever killed three processes can wait. */
const SUSPECT_EVERY = 6;

/** Says that this process lives, notices those that do not, and which runs are no longer ours. */
export class Heartbeat {
  private beats = 0;
  /** Runs that were ours without being here, at the last beat. */
  private astray: ReadonlySet<string> = new Set();

  constructor(
    private readonly roster: NodeRoster,
    private readonly store: RunStore,
    private readonly residents: Residents,
    private readonly claimer: RunClaimer,
    private readonly clock: SynchronizedClock | undefined,
    private readonly options: HeartbeatOptions,
  ) {}

  async tick(): Promise<'busy' | 'idle'> {
    const beat = this.beats++;
    await this.beat();
    await this.compare();
    const reaped = await this.roster.reap(REAP_LIMIT);
    if (reaped > 0) this.options.onReaped(reaped);
    if (beat % SUSPECT_EVERY === 0) await this.claimer.claimSuspect();
    return 'idle';
  }

  async beat(): Promise<void> {
    const { node, leaseMs } = this.options;
    const now = await this.roster.beat(node, leaseMs);
    this.clock?.set(now);
  }

  /**
   * Drops runs that were cancelled, or taken because this process seemed dead: the notification may not have come. And
   * gives back those that are ours without being here: the reply to their claim was lost, and while this process lives
   * nobody else would take them. Found twice, since a claim or a last word may just be on its way.
   */
  private async compare(): Promise<void> {
    const before = this.residents.all();
    const owned = await this.store.owned(this.options.node.id);
    const ids = new Set(owned.map(({ runId }) => runId));
    for (const activation of before) if (!activation.closed && !ids.has(activation.run.id)) activation.drop();
    const astray = owned.filter(({ runId }) => !this.residents.get(runId));
    const lost = astray.filter((claim) => this.astray.has(keyOf(claim)));
    this.astray = new Set(astray.map(keyOf));
    if (lost.length > 0) await this.store.release(lost, false);
  }
}

const keyOf = ({ runId, epoch }: RunClaim): string => `${epoch}:${runId}`;
