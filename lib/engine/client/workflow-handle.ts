import type { Duration } from '../../time/duration.js';
import type { WorkflowRunStatus } from '../insight/workflow-status.js';
import type { KnownOptions } from '../../options/known-options.js';

/** A handle to one run, returned by `start`. */
export interface WorkflowHandle<Output = unknown> {
  readonly id: string;
  /** False if the start found an existing run: the same id and input, or the same `singleton` or `debounce` key. */
  readonly created: boolean;
  /**
   * Waits for the run's output.
   *
   * @throws WorkflowFailedError, CompensationFailedError, WorkflowCancelledError, WorkflowTerminatedError,
   *   ResultTimeoutError, ResultAbandonedError
   */
  result(options?: ResultOptions): Promise<Output>;
  status(): Promise<WorkflowRunStatus>;
  /** Returns false if the run had ended already. */
  cancel(): Promise<boolean>;
  /** Ends the run without compensation. Returns false if the run had ended already. */
  terminate(): Promise<boolean>;
}

export interface ResultOptions {
  /** How long to wait. Default: until the run ends. */
  timeout?: Duration;
}

export const RESULT_OPTIONS = { timeout: true } satisfies KnownOptions<ResultOptions>;
