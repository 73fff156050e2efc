import type { WireError } from '../../protocol/wire-error.js';
import type { RunMismatch } from './mismatch.js';

export type RunStatus =
  'pending' | 'running' | 'suspended' | 'compensating' | 'completed' | 'failed' | 'cancelled' | 'compensation_failed';

/** The statuses no run leaves by itself. */
export const FINAL_STATUSES: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'compensation_failed'];

export const isFinal = (status: RunStatus): boolean => FINAL_STATUSES.includes(status);

/**
 * Why a run stands still although nothing it asked for is outstanding. Such a run is blocked: it is played
 * again by the next process that starts with its workflow, since that may bring code that fits.
 */
export type BlockReason = TriedReason | 'history_lost';

/** What each process that starts tries again. */
export type TriedReason = 'non_determinism' | 'programming_error' | 'write_refused';

/** With `write_refused`: the database does not take what the run is to record, while it takes what others write. */
export const TRIED_REASONS: readonly TriedReason[] = ['non_determinism', 'programming_error', 'write_refused'];

/** With `history_lost`: the database has lost commits of it. No process tries that by itself. */
export const BLOCK_REASONS: readonly BlockReason[] = [...TRIED_REASONS, 'history_lost'];

/** Why a run that has not begun does not begin: other runs have not ended, or a limit is reached. */
export type WaitReason = 'waiting_for_runs' | 'concurrency_limit' | 'rate_limit';

export type RunReason = BlockReason | WaitReason;

/**
 * How a run is being brought to its end before its code has come to it: what it did is compensated, its children are
 * closed, and then it has the status of that name (`terminated` compensates nothing and ends as `cancelled`).
 */
export type Closing = 'failed' | 'cancelled' | 'terminated';

/** What becomes of a child that has not ended when its parent ends. */
export type ParentClose = 'cancel' | 'terminate' | 'abandon';

/** Who must be told in the transaction that ends a run; added up. */
export const NOTIFIES = { parent: 1, runs: 2, limiter: 4 } as const;

/** What has to pass before a run may be played: `after` other runs, or a `limiter` with a limit. */
export type Precondition = 'after' | 'limiter';

/** How many at once, and how often, of what shares a limiter. */
export interface Limits {
  concurrency?: number;
  rate?: { max: number; durationMs: number };
}

/** The queue that a limited run or step waits in. */
export interface LimitRequest {
  /** Hash of the namespace, the name and the key. */
  limiter: string;
  namespace: string;
  /** What is limited, for people: a workflow's or a step's name. */
  name: string;
  key: string;
  limits: Limits;
}

/** Values that `list` can filter by. */
export type AttributeValue = string | number | boolean | Date;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** One execution of a workflow, as the table holds it. Payloads are JSON texts; times are epoch ms. */
export interface RunRecord {
  id: string;
  namespace: string;
  workflow: string;
  version: number;
  status: RunStatus;
  reason: RunReason | null;
  reasonDetail: string | null;
  input: string | null;
  output: string | null;
  error: string | null;
  wakeAt: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  priority: number;
  parentId: string | null;
  parentSeq: number | null;
  closing: Closing | null;
  deadline: number | null;
  customStatus: string | null;
  scheduleId: string | null;
  /** The process that plays it. */
  owner: string | null;
}

/** Which runs make room for a new one of the same id: all that have ended, or those that did not complete. */
export type IdReuse = 'ended' | 'failed';

/** What lets only one of several starts begin a run. `key` is a hash. */
export type StartKey =
  { kind: 'singleton'; key: string; windowMs?: number } | { kind: 'debounce'; key: string; maxDelayMs?: number };

export interface NewRun {
  id: string;
  namespace: string;
  workflow: string;
  version: number;
  input: string;
  /** Higher goes first among new runs of a workflow, from -1,000 to 1,000. */
  priority: number;
  /** How long after now it may begin, in ms. */
  delayMs: number;
  /** How long it may take from then on, in ms. */
  timeoutMs?: number;
  /** The step of another run that waits for it, and what becomes of it when that run ends. */
  parent?: { id: string; seq: number; close: ParentClose };
  /** Runs that have to complete before it begins. */
  after?: readonly string[];
  /** The queue of its key: the limits of its workflow, which may be none, and fairness between keys. */
  limiter?: LimitRequest;
  attributes?: Attributes;
  scheduleId?: string;
  reuse?: IdReuse;
  startKey?: StartKey;
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
  /** When the run, or its life since `continueAsNew`, began, epoch ms: older signals count unless somebody took them. */
  since: number;
  /** When it times out, epoch ms. */
  deadline: number | null;
  /** Set while it is brought to an end from outside of its code. */
  closing: Closing | null;
  /** With `closing: 'failed'`: the error it ends with, as JSON. */
  error: string | null;
  /** See {@link NOTIFIES}. */
  notifies: number;
  /** It has steps to compensate or children to close: ending it takes more than a row. */
  unwinds: boolean;
  /** It may not be played yet. */
  precondition: Precondition | null;
  /** The first position of its history; behind it lie those before `continueAsNew`. */
  firstSeq: number;
}

/** How an activation leaves its run behind. Statuses other than these three are final. */
export type RunTransition =
  | {
      status: 'suspended';
      wakeAt: number | null;
      settled: number;
      reason?: BlockReason;
      detail?: string;
      /** With `non_determinism`. */
      mismatch?: RunMismatch;
    }
  /** To be compensated by whoever takes it next: due at once. */
  | { status: 'compensating'; closing: Closing; error?: WireError; settled: number }
  /** The same run from the beginning, with another input: its history is gone, its positions go on from `firstSeq`. */
  | { status: 'pending'; input: string; firstSeq: number }
  | FinalTransition;

export type FinalTransition =
  | { status: 'completed'; output: string }
  | { status: 'failed'; error: WireError }
  | { status: 'cancelled'; error?: WireError }
  | { status: 'compensation_failed'; error: WireError };

export const isFinalTransition = (transition: RunTransition | undefined): transition is FinalTransition =>
  transition !== undefined && isFinal(transition.status);
