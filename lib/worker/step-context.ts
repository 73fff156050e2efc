/** Goes with the step: `fields` are whatever a log can carry. */
export interface StepLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** What a handler of a remote step knows about the call it serves. */
export interface StepContext {
  /** The id of the run that asked. */
  readonly workflowId: string;
  /** `<workflowId>:<seq>`. */
  readonly stepId: string;
  /** Position of the step in its run. */
  readonly seq: number;
  readonly name: string;
  /** The n-th try, from 1. */
  readonly attempt: number;
  /** The same on every attempt of this step and for no other: hand it to whatever must not act twice. */
  readonly idempotencyKey: string;
  /** Aborts when the attempt times out, its lease is lost, or the process stops; nobody waits for the answer then. */
  readonly signal: AbortSignal;
  /**
   * For handlers that keep the event loop busy: lets it breathe, renews the lease when that is due, and throws
   * the reason of `signal` once it has aborted. Handlers that await now and then need not call it.
   */
  heartbeat(): Promise<void>;
  readonly log: StepLog;
}

/** Runs one remote step. Its answer is stored as JSON. */
export type StepHandler = (input: unknown, step: StepContext) => unknown;
