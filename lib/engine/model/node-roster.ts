import type { RunClaim } from './run-store.js';
import type { TaskDispatcher } from './task-dispatcher.js';
import { type Clock, stopwatch } from '../../time/clock.js';

/** What the sweep needs from the database. */
export interface StrandedRuns {
  /** Of the next runs after this id: the step ids that parked ones wait for, and where to go on; no `next` at the end. */
  awaited(
    afterId: string,
    limit: number,
  ): Promise<{ steps: { runId: string; stepId: string }[]; next: string | undefined }>;
  /** Makes parked runs due. */
  wake(runIds: readonly string[]): Promise<void>;
}

export interface StrandedSweepOptions {
  /** Runs were woken. */
  onWoken?: () => void;
  /** Tells how long a look takes. Default: this machine's. */
  elapsed?: Clock;
}

const PAGE = 1_000;
/** A look begins no page after this: what is left is for the next look, so any number of runs costs the same. */
const LOOK_MS = 500;

/**
 * A parked run whose task was deleted would wait for ever. Page by page such runs are found and woken: whoever plays one
 * sends its task again. Runs in memory look after their tasks themselves.
 */
export class StrandedSweep {
  private position = '';

  constructor(
    private readonly runs: StrandedRuns,
    private readonly dispatcher: TaskDispatcher,
    private readonly options: StrandedSweepOptions = {},
  ) {}

  /** One look: from where the last one ended to the last run, or as far as it comes in its time. */
  async tick(): Promise<'idle'> {
    const { elapsed = stopwatch, onWoken } = this.options;
    const end = elapsed.now() + LOOK_MS;
    let woken = 0;
    do woken += await this.wakePage();
    while (this.position !== '' && elapsed.now() < end);
    if (woken > 0) onWoken?.();
    return 'idle';
  }

  /** Returns how many runs of the next page were woken. */
  private async wakePage(): Promise<number> {
    const { steps, next } = await this.runs.awaited(this.position, PAGE);
    this.position = next ?? '';
    const lost = new Set(steps.length === 0 ? [] : await this.dispatcher.lost(steps.map(({ stepId }) => stepId)));
    const stranded = [...new Set(steps.filter(({ stepId }) => lost.has(stepId)).map(({ runId }) => runId))];
    if (stranded.length > 0) await this.runs.wake(stranded);
    return stranded.length;
  }
}

export interface NodeIdentity {
  id: string;
  namespace: string;
  /** `engine`, `worker` or both, comma separated: for people. */
  roles: string;
}

/** What a process hears when it says that it lives. */
export interface Pulse {
  /** The storage's clock. */
  now: number;
  /** The runs that are this node's by the storage's word. */
  owned: RunClaim[];
  /** Runs are owned by nodes that have lapsed, or never signed in: see {@link NodeRoster.reap}. */
  orphans: boolean;
  /** See {@link NodeRoster.elsewhere}. */
  elsewhere: Elsewhere[];
}

/** A process that last said that it lives through another server than the one that was asked. */
export interface Elsewhere {
  nodeId: string;
  server: string;
  /** The server that was asked. */
  here: string;
  /** Grows with each beat. */
  expiresAt: number;
}

/** Where processes sign in, so that others notice when one has died. */
export interface NodeRoster {
  /** Signs in, or renews, for `leaseMs`. Returns the storage's clock. */
  beat(node: NodeIdentity, leaseMs: number): Promise<number>;
  /** The same, with a look around: what a process does all the time has to be little. */
  pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse>;
  /** Releases up to `limit` runs of nodes that have lapsed and strikes off nodes that have none left. Returns how many runs. */
  reap(limit: number): Promise<number>;
  /** Who lives and last beat through another server of a cluster. Nobody where that cannot be told, or was allowed. */
  elsewhere(): Promise<Elsewhere[]>;
  /** Forgets nodes that lapsed a while ago. */
  strikeOff(): Promise<void>;
  /** Signs off. */
  leave(nodeId: string): Promise<void>;
}
