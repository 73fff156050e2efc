import type { SynchronizedClock } from '../time/synchronized-clock.js';
import type { NodeIdentity, NodeRoster } from './node-roster.js';
import type { Residents } from './residents.js';
import type { RunClaimer } from './run-claimer.js';
import type { RunStore } from './run-store.js';

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
    if (this.residents.size > 0) await this.dropLost();
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

  /** Runs that were cancelled, or taken because this process seemed dead: the notification may not have come. */
  private async dropLost(): Promise<void> {
    const before = this.residents.all();
    const owned = new Set(await this.store.owned(this.options.node.id));
    for (const activation of before) if (!activation.closed && !owned.has(activation.run.id)) activation.drop();
  }
}
