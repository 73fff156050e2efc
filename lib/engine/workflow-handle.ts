import type { Duration } from '../time/duration.js';
import type { RunStatus } from './run.js';
import type { StepKind, StepStatus } from './step-record.js';

/** One run, as its starter holds it. */
export interface WorkflowHandle<Output = unknown> {
  readonly id: string;
  /** False when a run with this id and the same input was there already. */
  readonly created: boolean;
  /**
   * The run's output, once it has ended.
   *
   * @throws WorkflowFailedError, WorkflowCancelledError, ResultTimeoutError
   */
  result(options?: ResultOptions): Promise<Output>;
  status(): Promise<WorkflowRunStatus>;
  /** Answers false when the run had ended already. */
  cancel(): Promise<boolean>;
}

export interface ResultOptions {
  /** How long to wait. Default: until it ends. */
  timeout?: Duration;
}

/** What is known of a run. Values are decoded, times are dates. */
export interface WorkflowRunStatus {
  id: string;
  workflow: string;
  version: number;
  status: RunStatus;
  /** Why it stands still, when it does: `non_determinism` or `programming_error`. */
  reason: string | null;
  reasonDetail: string | null;
  input: unknown;
  output: unknown;
  error: { name?: string; message: string; code?: string } | null;
  /** When it goes on by itself; null while it waits for something else. */
  wakeAt: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** With `history: true`: every recorded position, in order. */
  history?: WorkflowStepStatus[];
}

export interface WorkflowStepStatus {
  seq: number;
  kind: StepKind;
  name: string;
  status: StepStatus;
  /** How many attempts have failed. */
  failures: number;
  output: unknown;
  error: { name?: string; message: string; code?: string } | null;
  wakeAt: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface WorkflowPage {
  runs: WorkflowRunStatus[];
  /** Hand it to the next `list`; undefined on the last page. */
  cursor?: string;
}

export interface ListOptions {
  status?: RunStatus | readonly RunStatus[];
  workflow?: string;
  /** Only runs that stand still for a reason. */
  blocked?: boolean;
  /** Runs per page, at most 1,000. Default 100. */
  limit?: number;
  /** From the page before. */
  cursor?: string;
}
