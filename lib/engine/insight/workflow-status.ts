import type { LogLevel } from '../../protocol/log-line.js';
import type { RunMismatch } from '../model/mismatch.js';
import type { Attributes, Closing, ParentClose, RunReason, RunStatus } from '../model/run.js';
import type { StepKind, StepStatus } from '../model/step-record.js';
import type { KnownOptions } from '../../options/known-options.js';

export interface StatusOptions {
  /**
   * Include every recorded position, its attempts and its log lines, or the first `limit` positions (at most 10,000). Of a
   * run, at most 20,000 attempts and as many lines are read. Default false.
   */
  history?: boolean | { limit?: number };
  /**
   * With `history`: also the inputs of remote steps, children, `ctx.effects` and `ctx.publish`. Where they are not kept,
   * today's code of this process is replayed with the recorded outcomes, which executes the code between steps, and its
   * inputs are noted. `recomputed` says whether the code still fits.
   */
  inputs?: 'replay';
  /** Include the runs it started: the first `limit`, default 100, at most 1,000; `list({ parent })` returns all. */
  children?: boolean | { limit?: number };
}

export const STATUS_OPTIONS = {
  history: { limit: true },
  inputs: true,
  children: { limit: true },
} satisfies KnownOptions<StatusOptions>;

/** The stored fields of an error. */
export interface ErrorView {
  name?: string;
  message: string;
  code?: string;
  /** False: it has ended the retries of its step. */
  retryable?: boolean;
  cause?: ErrorView;
  /** The errors of an `AggregateError`; of a failed compensation, its own cause. */
  errors?: readonly ErrorView[];
  /** The frames, one per line, those of the app first. Recorded as the option `errors.stack` says. */
  stack?: string;
}

/** The state of a run. Values are decoded, times are dates. */
export interface WorkflowRunStatus {
  id: string;
  workflow: string;
  version: number;
  status: RunStatus;
  /** Why the run is blocked, or why it has not begun; null otherwise. */
  reason: RunReason | null;
  reasonDetail: string | null;
  /** With `non_determinism`: the position at which its code and its history differ. */
  mismatch: RunMismatch | null;
  /** The error that blocks it, with its stack: `reasonDetail` is its text. */
  blockedBy: ErrorView | null;
  /** How the run will end, while it is being compensated or closed. */
  closing: Closing | null;
  /** The last value that its code passed to `ctx.setStatus`. */
  customStatus: string | null;
  attributes: Attributes;
  /** The id of the run that started it. */
  parentId: string | null;
  scheduleId: string | null;
  /** The run that it was forked from, and the first position that it does not share with it. */
  forkedFrom: { id: string; seq: number } | null;
  priority: number;
  input: unknown;
  output: unknown;
  /**
   * The error with which the run failed, or because of which it is being compensated. With `compensation_failed`: the
   * error of the compensation, and as its `cause` the error with which the run had failed.
   */
  error: ErrorView | null;
  /** When a timer continues the run; null while it waits for something else. */
  wakeAt: Date | null;
  /** When it times out. */
  deadline: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Its payloads, or a part of its history, were erased: it can no longer be replayed. */
  erased: boolean;
  /** With `history: true`: every recorded position, in order. */
  history?: WorkflowStepStatus[];
  /** With a `limit` of the history: there are more positions. */
  moreHistory?: true;
  /** With `inputs: 'replay'`: whether the inputs in the history are complete. */
  recomputed?: RecomputedInputs;
  /** With `history: true`: the log lines of its code, without those of its steps. */
  logs?: WorkflowLogLine[];
  /** With `children`: the runs it has started, oldest first. */
  children?: WorkflowChildStatus[];
}

/** How the inputs in a history were found. */
export interface RecomputedInputs {
  /** Whether the code fits the whole history. If not, positions after the mismatch have no input. */
  fits: boolean;
  /** Where the code parts from the history; null if it fits, threw an error, or is not there. */
  mismatch: RunMismatch | null;
  /** Why it does not fit; null if it does. */
  detail: string | null;
}

/** One recorded position. */
export interface WorkflowStepStatus {
  seq: number;
  kind: StepKind;
  name: string;
  status: StepStatus;
  /** How many attempts have failed. */
  failures: number;
  /**
   * What the step was asked with last, if it was kept (`keepInputs`). Else with `inputs: 'replay'`: as today's code asks for
   * it. Undefined: neither, or the step has none.
   */
  input?: unknown;
  output: unknown;
  error: ErrorView | null;
  wakeAt: Date | null;
  createdAt: Date;
  /** When the last attempt was requested. */
  askedAt: Date;
  /** When the last attempt began; null while that is not known. */
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Who ran the last attempt: a worker, or the process that played the run. Null if that is not known. */
  worker: string | null;
  /** Every attempt that has ended, in order. */
  attempts: WorkflowAttempt[];
  /** In the order in which they were written, at most 1,000 per attempt. */
  logs: WorkflowLogLine[];
}

/** One call of a step's function or handler. Times that are not known are null. */
export interface WorkflowAttempt {
  /** The number of the attempt, from 1, which its handler saw and its log lines have. */
  attempt: number;
  /** `lost`: its worker did not renew its lease: it died, or lost its connection. */
  outcome: 'completed' | 'failed' | 'lost' | 'deferred';
  /** When it was requested. */
  askedAt: Date | null;
  /** When it began. */
  startedAt: Date | null;
  /** When it ended; for a lost attempt, when another worker took over its task. */
  finishedAt: Date | null;
  /** From the end of the attempt before it until it was requested, in ms. */
  backedOffMs: number | null;
  /** From its request until it began, in ms. */
  waitedMs: number | null;
  /** From its beginning to its end, in ms. */
  ranMs: number | null;
  /** The worker, or the process that played the run; null if a worker did not tell its name. */
  worker: string | null;
  error: ErrorView | null;
}

export interface WorkflowLogLine {
  level: LogLevel;
  message: string;
  fields?: Record<string, unknown>;
  /** For a line of a step: the number of the attempt that wrote it. */
  attempt: number | null;
  loggedAt: Date;
}

export interface WorkflowChildStatus extends WorkflowRunStatus {
  /** What happens to the run when its parent ends first. */
  parentClose: ParentClose | null;
}
