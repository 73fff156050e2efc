import type { LogLevel } from '../../protocol/log-line.js';
import type { RunMismatch } from '../model/mismatch.js';
import type { Attributes, AttributeValue, Closing, ParentClose, RunReason, RunStatus } from '../model/run.js';
import type { StepKind, StepStatus } from '../model/step-record.js';

export interface StatusOptions {
  /** With every recorded position, its attempts and its log lines. Default false. */
  history?: boolean;
  /** With the runs it has started: the first 100, or as many as `limit` says, at most 1,000; `list({ parent })` has all. */
  children?: boolean | { limit?: number };
}

/** What survives of an error. */
export interface ErrorView {
  name?: string;
  message: string;
  code?: string;
  cause?: ErrorView;
}

/** What is known of a run. Values are decoded, times are dates. */
export interface WorkflowRunStatus {
  id: string;
  workflow: string;
  version: number;
  status: RunStatus;
  /** Why it stands still, when it does. */
  reason: RunReason | null;
  reasonDetail: string | null;
  /** With `non_determinism`: where its code and its history part. */
  mismatch: RunMismatch | null;
  /** How it is being brought to its end, while it is. */
  closing: Closing | null;
  /** What its code said last by `ctx.setStatus`. */
  customStatus: string | null;
  attributes: Attributes;
  /** The run that started it. */
  parentId: string | null;
  scheduleId: string | null;
  priority: number;
  input: unknown;
  output: unknown;
  /**
   * What it failed with, or what it is being compensated for. With `compensation_failed` what the compensation failed
   * with, and as its `cause` what the run had failed with before.
   */
  error: ErrorView | null;
  /** When it goes on by itself; null while it waits for something else. */
  wakeAt: Date | null;
  /** When it times out. */
  deadline: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** With `history: true`: every recorded position, in order. */
  history?: WorkflowStepStatus[];
  /** With `history: true`: the lines that its code logged, apart from those of its steps. */
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
  /** When the attempt in progress was asked for; of a step that has ended, when the last one began. */
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Every attempt that has ended, in order; without an error it succeeded. */
  attempts: WorkflowAttempt[];
  /** In the order in which they were written, at most 1,000 of an attempt. */
  logs: WorkflowLogLine[];
}

export interface WorkflowAttempt {
  /** The n-th try, from 1. */
  attempt: number;
  startedAt: Date | null;
  finishedAt: Date | null;
  error: ErrorView | null;
}

export interface WorkflowLogLine {
  level: LogLevel;
  message: string;
  fields?: Record<string, unknown>;
  /** Of a step: during which try. */
  attempt: number | null;
  loggedAt: Date;
}

export interface WorkflowChildStatus extends WorkflowRunStatus {
  /** What becomes of it when its parent ends first. */
  parentClose: ParentClose | null;
}

export interface WorkflowPage {
  runs: WorkflowRunStatus[];
  /**
   * Hand it to the next `list`; undefined on the last page. A page may have fewer runs than asked for, or none, and a
   * cursor all the same: no call looks at more than 10,000 runs.
   */
  cursor?: string;
}

/** Numbers and times in a range; all of it has to hold. */
export interface AttributeRange<T extends number | Date = number | Date> {
  gt?: T;
  gte?: T;
  lt?: T;
  lte?: T;
}

export interface ListOptions {
  status?: RunStatus | readonly RunStatus[];
  reason?: RunReason | readonly RunReason[];
  /** Only runs that stand still because their code is wrong or does not fit their history. */
  blocked?: boolean;
  workflow?: string;
  version?: number;
  /**
   * What they were started with or what `ctx.setAttributes` said last: all of it has to hold, and types count.
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
  /** From the page before, of the same filters and order. */
  cursor?: string;
}
