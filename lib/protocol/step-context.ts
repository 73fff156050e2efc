/** Log lines are stored with the step; `fields` may hold any loggable value. */
export interface StepLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** What a handler of a remote step receives besides its input. */
export interface StepContext {
  /** The id of the run that called the step. */
  readonly workflowId: string;
  /** `<workflowId>:<seq>`. */
  readonly stepId: string;
  /** The position of the step in its run. */
  readonly seq: number;
  readonly name: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The same on every attempt of this step, unique to it: pass it to services that must not act twice. */
  readonly idempotencyKey: string;
  /**
   * Reads what the run carries: the trace context of its starter, and what the module option `contextFrom` named. Empty
   * if there is nothing, or if the run was deleted. Steps that ask at the same time share one statement.
   */
  context(): Promise<Readonly<Record<string, unknown>>>;
  /** Aborts when the attempt times out, its lease is lost, or the process stops; the result is then discarded. */
  readonly signal: AbortSignal;
  /**
   * For handlers that block the event loop: yields to it, renews the lease when that is due, and throws the reason of
   * `signal` once it has aborted. Handlers that await regularly need not call it.
   */
  heartbeat(): Promise<void>;
  readonly log: StepLog;
}
