import type { WireError } from '../../protocol/wire-error.js';
import type { RunMismatch } from './mismatch.js';

export type RunStatus =
  'pending' | 'running' | 'suspended' | 'compensating' | 'completed' | 'failed' | 'cancelled' | 'compensation_failed';

/** The statuses in which a run has ended. */
export const FINAL_STATUSES: readonly RunStatus[] = ['completed', 'failed', 'cancelled', 'compensation_failed'];

export const isFinal = (status: RunStatus): boolean => FINAL_STATUSES.includes(status);

/**
 * Why a run is blocked. The next process that starts with its workflow plays it again, since that process may have
 * matching code.
 */
export type BlockReason = TriedReason | 'history_lost' | 'exhausted';

/** The reasons for which each starting process plays the run again. */
export type TriedReason = 'non_determinism' | 'programming_error' | 'write_refused';

/** With `write_refused`, the database refuses the run's records, while it accepts writes of other runs. */
export const TRIED_REASONS: readonly TriedReason[] = ['non_determinism', 'programming_error', 'write_refused'];

/**
 * With `history_lost`, the database has lost commits of the run; with `exhausted`, a step with `onExhausted: 'block'` has
 * used all its attempts. It is played again only after `retry`.
 */
export const BLOCK_REASONS: readonly BlockReason[] = [...TRIED_REASONS, 'history_lost', 'exhausted'];

/** Why a run has not begun: other runs have not ended, or a limit is reached. */
export type WaitReason = 'waiting_for_runs' | 'concurrency_limit' | 'rate_limit';

export type RunReason = BlockReason | WaitReason;

/**
 * How a run is ended before its code completes: its steps are compensated, its children are closed, and then it has the
 * status of this name. `terminated` compensates nothing and ends as `cancelled`.
 */
export type Closing = 'failed' | 'cancelled' | 'terminated';

/** What happens to a child that has not ended when its parent ends. */
export type ParentClose = 'cancel' | 'terminate' | 'abandon';

/** Bit flags: who must be notified in the transaction that ends a run. */
export const NOTIFIES = { parent: 1, runs: 2, limiter: 4 } as const;

/** What a run waits for before it may be played: the end of other runs, or its turn in a limiter with a limit. */
export type Precondition = 'after' | 'limiter';

export interface Limits {
  concurrency?: number;
  rate?: { max: number; durationMs: number };
}

/** The queue that a limited run or step waits in. */
export interface LimitRequest {
  /** Hash of the namespace, the name and the key. */
  limiter: string;
  namespace: string;
  /** The name of the limited workflow or step, for people. */
  name: string;
  key: string;
  limits: Limits;
}

/** Values that `list` can filter by. */
export type AttributeValue = string | number | boolean | Date;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** What a run's row keeps for `retry`. */
export interface ResumePoint {
  /** For a failed run: the failed steps after whose failure its code did nothing more. */
  failed?: readonly number[];
  /** The last place in the order of outcomes that its code had received: later failures it does not know. */
  delivered?: number;
  /** The first position that its code took after the first of these failures; all from there on are markers. */
  after?: number;
  /** The failed step whose error ended the run, although its code took another position (`next`) in between. */
  passed?: { seq: number; name: string; next: number };
  /** The step whose failure ended the run; undefined if the code caught it, and threw an error of its own. */
  at?: number;
  /** The failed attempts of steps that no longer count, by position. */
  forgiven?: Readonly<Record<number, number>>;
}

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
  /** The run whose history it shares up to `forkedSeq`. */
  forkedFrom: string | null;
  forkedSeq: number | null;
  /** The process that plays it. */
  owner: string | null;
  /** Since when its payloads are erased, or a part of its history is: it can no longer be replayed. */
  erasedAt: number | null;
}

/** Which runs a new run with the same id may replace: all that have ended, or those that did not complete. */
export type IdReuse = 'ended' | 'failed';

/** A key by which only one of several starts creates a run. `key` is a hash. */
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
  /** The run may begin this many ms from now. */
  delayMs: number;
  /** How long the run may take from then on, in ms. */
  timeoutMs?: number;
  /** The step of the parent run that waits for it, and what happens to it when the parent ends. */
  parent?: { id: string; seq: number; close: ParentClose };
  /** Runs that must complete before it begins. */
  after?: readonly string[];
  /** The queue of its key: applies the workflow's limits, if there are any, and fairness between keys. */
  limiter?: LimitRequest;
  attributes?: Attributes;
  /** JSON text; see `RunContext`. */
  context?: string;
  scheduleId?: string;
  reuse?: IdReuse;
  startKey?: StartKey;
}

/** A run claimed by this process. Its writes are accepted as long as the run still has this epoch. */
export interface ClaimedRun {
  id: string;
  workflow: string;
  version: number;
  input: string | null;
  /** Fencing number, raised by every claim. */
  epoch: number;
  /** How many owners in a row have crashed before they recorded any progress of it. */
  crashes: number;
  /** When the run began, or its last `continueAsNew`, epoch ms: older signals count only if no run has taken them. */
  since: number;
  /** When it times out, epoch ms. */
  deadline: number | null;
  /** Set while the run is being closed. */
  closing: Closing | null;
  /** With `closing: 'failed'`: the error it ends with, as JSON. */
  error: string | null;
  /** See {@link NOTIFIES}. */
  notifies: number;
  /** Whether it has steps to compensate or children to close, so that it must be played to end it. */
  unwinds: boolean;
  /** What it must still wait for before it may be played. */
  precondition: Precondition | null;
  /** The first position of its history; lower positions were used before `continueAsNew`. */
  firstSeq: number;
  resume: ResumePoint | null;
  /** JSON text; see `RunContext`. */
  context?: string;
  /** It was claimed although it is blocked, because this process may have matching code. */
  wasBlocked?: true;
  /** Steps at lower positions belong to the run that it was forked from: they are not compensated. */
  forkedSeq: number | null;
  /** A schedule has started it. */
  isScheduled?: true;
}

/** The state of a run after an activation. Statuses other than these three are final. */
export type RunTransition =
  | {
      status: 'suspended';
      wakeAt: number | null;
      settled: number;
      reason?: BlockReason;
      detail?: string;
      /** The error that blocks it, as it is stored; always with its stack. */
      blockedBy?: WireError;
      /** With `non_determinism`. */
      mismatch?: RunMismatch;
    }
  /** Due at once; the next owner compensates it. */
  | { status: 'compensating'; closing: Closing; error?: WireError; settled: number; resume?: ResumePoint }
  /** `continueAsNew`: another input, an empty history that begins at `firstSeq`, and what it carries if that changes. */
  | { status: 'pending'; input: string; firstSeq: number; context?: string }
  | FinalTransition;

/** `undoing`: the step that could not be compensated; for the log. */
export type FinalTransition =
  | { status: 'completed'; output: string }
  | { status: 'failed'; error: WireError; resume?: ResumePoint }
  | { status: 'cancelled'; error?: WireError }
  | { status: 'compensation_failed'; error: WireError; undoing?: { name: string; seq: number } };

export const isFinalTransition = (transition: RunTransition | undefined): transition is FinalTransition =>
  transition !== undefined && isFinal(transition.status);
