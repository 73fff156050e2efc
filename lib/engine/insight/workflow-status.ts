import type { LogLevel } from '../../protocol/log-line.js';
import type { RunMismatch } from '../model/mismatch.js';
import type { Attributes, AttributeValue, Closing, ParentClose, RunReason, RunStatus } from '../model/run.js';
import type { StepKind, StepStatus } from '../model/step-record.js';

export interface StatusOptions {
  /** Include every recorded position, its attempts and its log lines. Default false. */
  history?: boolean;
  /** Include the runs it started: the first `limit`, default 100, at most 1,000; `list({ parent })` returns all. */
  children?: boolean | { limit?: number };
}

/** The stored fields of an error. */
export interface ErrorView {
  name?: string;
  message: string;
  code?: string;
  cause?: ErrorView;
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
  /** How the run will end, while it is being compensated or closed. */
  closing: Closing | null;
  /** The last value that its code passed to `ctx.setStatus`. */
  customStatus: string | null;
  attributes: Attributes;
  /** The id of the run that started it. */
  parentId: string | null;
  scheduleId: string | null;
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
  /** With `history: true`: every recorded position, in order. */
  history?: WorkflowStepStatus[];
  /** With `history: true`: the log lines of its code, without those of its steps. */
  logs?: WorkflowLogLine[];
  /** With `children`: the runs it has started, oldest first. */
  children?: WorkflowChildStatus[];
}

/** One recorded position. */
export interface WorkflowStepStatus {
  seq: number;
  kind: StepKind;
  name: string;
  status: StepStatus;
  /** How many attempts have failed. */
  failures: number;
  output: unknown;
  error: ErrorView | null;
  wakeAt: Date | null;
  createdAt: Date;
  /** When the attempt in progress was requested; for a step that has ended, when the last attempt began. */
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Every attempt that has ended, in order; an attempt without an error succeeded. */
  attempts: WorkflowAttempt[];
  /** In the order in which they were written, at most 1,000 per attempt. */
  logs: WorkflowLogLine[];
}

export interface WorkflowAttempt {
  /** The number of the attempt, from 1. */
  attempt: number;
  startedAt: Date | null;
  finishedAt: Date | null;
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

export interface WorkflowPage {
  runs: WorkflowRunStatus[];
  /**
   * Pass it to the next `list`; undefined on the last page. A page with a cursor may still have fewer runs than
   * `limit`, or none: one call reads at most 10,000 runs.
   */
  cursor?: string;
}

/** A range of numbers or times; all bounds must hold. */
export interface AttributeRange<T extends number | Date = number | Date> {
  gt?: T;
  gte?: T;
  lt?: T;
  lte?: T;
}

export interface ListOptions {
  status?: RunStatus | readonly RunStatus[];
  reason?: RunReason | readonly RunReason[];
  /** Only blocked runs, for example runs whose code does not match their history. */
  blocked?: boolean;
  workflow?: string;
  version?: number;
  /**
   * The attributes from the start or the last `ctx.setAttributes`. All of them must match, including their types.
   *
   * @example
   * await workflows.list({ attributes: { customer: 'acme', amount: { gte: 1_000 } } });
   */
  attributes?: Readonly<Record<string, AttributeValue | AttributeRange<number> | AttributeRange<Date>>>;
  /** Created at this time or later. */
  createdAfter?: Date;
  /** Created before this time. */
  createdBefore?: Date;
  /** The id of the run that started them. */
  parent?: string;
  /** The id of the schedule that started them. */
  schedule?: string;
  /** Default `'newest'` first. */
  order?: 'newest' | 'oldest';
  /** Runs per page, at most 1,000. Default 100. */
  limit?: number;
  /** The cursor of the previous page, with the same filters and order. */
  cursor?: string;
}
