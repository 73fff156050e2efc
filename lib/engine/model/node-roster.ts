import type { ActedBy } from '../../acts/act.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Drain, NodeIdentity, NodesInSight } from './node-record.js';
import type { RunClaim } from './run-store.js';
import type { TaskDispatcher } from './task-dispatcher.js';
import { type Clock, stopwatch } from '../../time/clock.js';

/** The queries of the sweep. */
export interface StrandedRuns {
  /** Returns the step ids that the next parked runs after this id wait for; `next` is undefined at the end. */
  awaited(
    afterId: string,
    limit: number,
  ): Promise<{ steps: { runId: string; stepId: string }[]; next: string | undefined }>;
  /** Makes parked runs due. */
  wake(runIds: readonly string[]): Promise<void>;
}

export interface StrandedSweepOptions {
  /** Called when runs were woken. */
  onWoken?: () => void;
  /** Measures the duration of a tick. Default: this process's monotonic clock. */
  elapsed?: Clock;
}

const PAGE = 1_000;
/** A tick begins no page after this time; the next tick continues there. So the cost per tick is bounded. */
const LOOK_MS = 500;

/**
 * Wakes parked runs whose task was deleted, which would otherwise wait forever: the process that plays such a run
 * dispatches its task again. It reads the runs page by page. Resident runs check their tasks themselves.
 */
export class StrandedSweep {
  private position = '';

  constructor(
    private readonly runs: StrandedRuns,
    private readonly dispatcher: TaskDispatcher,
    private readonly options: StrandedSweepOptions = {},
  ) {}

  /** Continues where the last tick ended, until the last run or the time limit. */
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

/** What a process hears when it signs in or renews its lease. */
export interface Beat {
  /** The storage's clock. */
  now: number;
  /** Whether it must begin nothing new. */
  draining: boolean;
}

/** The result of a heartbeat. */
export interface Pulse extends Beat {
  /** The runs that this node owns according to the storage. */
  owned: RunClaim[];
  /** Whether runs are owned by nodes with an expired lease, or that never registered: see {@link NodeRoster.reap}. */
  orphans: boolean;
  /** See {@link NodeRoster.elsewhere}. */
  elsewhere: Elsewhere[];
}

/** A node whose last heartbeat went through another server than the one that was queried. */
export interface Elsewhere {
  nodeId: string;
  server: string;
  /** The server that was queried. */
  here: string;
  /** Grows with each beat. */
  expiresAt: number;
}

/** Where processes register as nodes with a lease, so that others notice when one has died. */
export interface NodeRoster {
  /**
   * Registers the node, with what it serves, or renews its lease, for `leaseMs`. A node that is back after its lease has
   * ended still drains.
   */
  beat(node: NodeIdentity, leaseMs: number): Promise<Beat>;
  /** Like `beat`, and reads the fields of {@link Pulse}. It runs all the time, so it must be cheap. */
  pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse>;
  /** Releases up to `limit` runs of expired nodes. Returns how many runs. */
  reap(limit: number): Promise<number>;
  /** Live nodes whose last heartbeat went through another server of a cluster. Empty if unknown, or if allowed. */
  elsewhere(): Promise<Elsewhere[]>;
  /** Whether the node is signed in and its lease holds: one read by key. */
  lives(nodeId: string): Promise<boolean>;
  /** Returns the nodes that are alive, and those that have ended and are still remembered. */
  nodes(): Promise<NodesInSight>;
  /**
   * Has a live node drain, or with null begin new work again; it hears of it at its next beat. A node that drains
   * already keeps its `since`. Returns how it drained before, or null; undefined without a live node of this name.
   */
  setDraining(nodeId: string, by: ActedBy | null, tx: Transaction): Promise<Drain | null | undefined>;
  /** Deletes nodes that expired more than {@link KEEP_LAPSED_MS} ago, or before {@link MOST_LAPSED} others. */
  strikeOff(): Promise<void>;
  /** Ends the node's lease at once. Until it is struck off, it is remembered as one that has signed off. */
  leave(nodeId: string): Promise<void>;
}
