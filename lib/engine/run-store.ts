import type { StepAnswer, StepTask } from '../protocol/step.js';
import type { Transaction } from '../protocol/transaction.js';
import type { ClaimedRun, RunTransition } from './run.js';
import type { StepRecord } from './step-record.js';

export interface ClaimRuns {
  nodeId: string;
  namespace: string;
  /** What this process can play; runs of anything else are left alone. */
  workflows: readonly { name: string; version: number }[];
  limit: number;
  /**
   * `due`: new, woken, timed and released runs whose recent owners lived. `suspect`: due runs whose owners keep
   * dying. `blocked`: runs that stand still for a reason, in the order of their ids.
   */
  which: 'due' | 'suspect' | 'blocked';
  /** With `blocked`: only ids after this one. */
  afterId?: string;
}

/** What identifies one taking of one run. */
export interface RunClaim {
  runId: string;
  epoch: number;
}

/** What one activation writes at one time; all of it or nothing. */
export interface RunWrite {
  runId: string;
  epoch: number;
  /** Whole rows: a new position is inserted, a known one overwritten. */
  steps: readonly StepRecord[];
  /** Requests to workers that become visible with it. */
  tasks: readonly StepTask[];
  /** Answers it consumes, by step id. */
  takes: readonly string[];
  /** Tasks it gives up, by step id. */
  withdraws: readonly string[];
  transition?: RunTransition;
  /** The run has made progress since its last owner died. */
  clearCrashes?: boolean;
}

/** Writes of other ports that belong into the same transaction; given the writes that passed the fence. */
export type Alongside = (writes: readonly RunWrite[], tx: Transaction) => Promise<void>;

/** What playing runs needs from the database. Every method is atomic. */
export interface RunStore {
  /** Takes up to `limit` runs; no run is ever held under the same epoch twice. Blocked runs of one workflow come in the order of their ids. */
  claim(request: ClaimRuns): Promise<ClaimedRun[]>;
  /** All recorded positions of these runs, in one read. */
  histories(runIds: readonly string[]): Promise<StepRecord[]>;
  /**
   * Writes everything whose (run id, epoch) still holds, and answers the writes for which it did not: of those
   * nothing is written. At most one write per run and epoch. `tx` joins a transaction that is already open.
   */
  commit(writes: readonly RunWrite[], alongside: Alongside, tx?: Transaction): Promise<readonly RunWrite[]>;
  /**
   * Records answers to runs that nobody owns, and wakes them. Answers the step ids that are dealt with, be it that
   * nobody wants them any more; they are taken through `alongside` in the same transaction. Others stay.
   */
  settleUnowned(
    namespace: string,
    answers: readonly StepAnswer[],
    alongside: (stepIds: readonly string[], tx: Transaction) => Promise<void>,
  ): Promise<string[]>;
  /** The runs that this node owns by the table's word, and since which claim. */
  owned(nodeId: string): Promise<RunClaim[]>;
  /** Gives up ownership; the runs are due at once. `crashed` counts against them. */
  release(runs: readonly RunClaim[], crashed: boolean): Promise<void>;
  /** Calls `listener` when runs may have become due, or, with ids, when those were taken from their owner. */
  onRuns(listener: (lost?: readonly string[]) => void): () => void;
}
