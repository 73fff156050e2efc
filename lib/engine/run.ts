import type { WireError } from '../protocol/wire-error.js';

export type RunStatus =
  'pending' | 'running' | 'suspended' | 'compensating' | 'completed' | 'failed' | 'cancelled' | 'compensation_failed';

/** The statuses no run leaves by itself. */
export const FINAL_STATUSES: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'compensation_failed'];

export const isFinal = (status: RunStatus): boolean => FINAL_STATUSES.includes(status);

/**
 * Why a run stands still although nothing it asked for is outstanding. Such a run is blocked: it is played
 * again by the next process that starts with its workflow, since that may bring code that fits.
 */
export type BlockReason = 'non_determinism' | 'programming_error';

/** One execution of a workflow, as the table holds it. Payloads are JSON texts; times are epoch ms. */
export interface RunRecord {
  id: string;
  namespace: string;
  workflow: string;
  version: number;
  status: RunStatus;
  reason: BlockReason | null;
  reasonDetail: string | null;
  input: string | null;
  output: string | null;
  error: string | null;
  wakeAt: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

export interface NewRun {
  id: string;
  namespace: string;
  workflow: string;
  version: number;
  input: string;
  priority: number;
  /** How long after now it may begin, in ms. */
  delayMs: number;
}

/** A run taken by this process: its writes count as long as the epoch is still the run's. */
export interface ClaimedRun {
  id: string;
  workflow: string;
  version: number;
  input: string | null;
  /** Fencing number, raised by every claim. */
  epoch: number;
  /** How many owners in a row have died with it before it recorded anything. */
  crashes: number;
}

/** How an activation leaves its run behind. */
export type RunTransition =
  | { status: 'suspended'; wakeAt: number | null; settled: number; reason?: BlockReason; detail?: string }
  | { status: 'completed'; output: string }
  | { status: 'failed'; error: WireError };
