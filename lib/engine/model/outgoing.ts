/** An event for the outbox. */
export interface WorkflowEvent {
  /** What shares an order: 1 to 255 characters. */
  channel: string;
  /** 1 to 191 characters. */
  name: string;
  /** Anything that JSON holds. Default null. */
  data?: unknown;
  /** Correlates it with what caused it. Default: a new UUID. 1 to 191 characters. */
  mutationId?: string;
  headers?: Readonly<Record<string, unknown>>;
}

/** Calls to the outside world, made until all have succeeded. */
export interface WorkflowOperation {
  /** What is done, as `erase`. 1 to 191 characters. */
  operation: string;
  /** To whom: 1 to 255 characters that stand for nothing else. Calls with the same operation and subject complete together. */
  subject: string;
  /** Each handler and ref once. */
  calls: readonly WorkflowCall[];
}

export interface WorkflowCall {
  /** The name of an `@Effect` method, of this process or of another one. */
  handler: string;
  /** What the call is about, as an id of the other side: a text, a number or a small object. At most 8 KiB of JSON. */
  ref: unknown;
  /** What the handler needs besides; erased once the call has come to its end. */
  payload?: unknown;
}
