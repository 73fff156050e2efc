import type { Duration } from '../../time/duration.js';
import type { WorkflowRunStatus } from '../insight/workflow-status.js';

/** One run, as its starter holds it. */
export interface WorkflowHandle<Output = unknown> {
  readonly id: string;
  /** False when a run with this id and the same input was there already. */
  readonly created: boolean;
  /**
   * The run's output, once it has ended.
   *
   * @throws WorkflowFailedError, CompensationFailedError, WorkflowCancelledError, WorkflowTerminatedError, ResultTimeoutError
   */
  result(options?: ResultOptions): Promise<Output>;
  status(): Promise<WorkflowRunStatus>;
  /** Returns false if the run had ended already. */
  cancel(): Promise<boolean>;
  /** The same, with nothing compensated. */
  terminate(): Promise<boolean>;
}

export interface ResultOptions {
  /** How long to wait. Default: until it ends. */
  timeout?: Duration;
}
