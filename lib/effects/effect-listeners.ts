/** Who is told how operations end, in the order of registration. */
export class EffectListeners {
  private readonly completion: CompletionListener[] = [];
  private readonly abandonment: AbandonmentListener[] = [];

  onComplete(listener: CompletionListener): void {
    this.completion.push(listener);
  }

  onAbandoned(listener: AbandonmentListener): void {
    this.abandonment.push(listener);
  }

  completionOf(operation: string): readonly CompletionListener[] {
    return this.completion.filter((listener) => listener.operation === operation);
  }

  abandonmentOf(operation: string): readonly AbandonmentListener[] {
    return this.abandonment.filter((listener) => listener.operation === operation);
  }
}

/** A method of the app that wants to know when all calls of an operation for a subject have succeeded. */
export interface CompletionListener {
  readonly operation: string;
  /**
   * Called inside of the transaction that settles the last call, at most once for each time that the last open call of
   * the group succeeds. `tx` is what the app's ORM writes with inside a transaction. When it throws, the call counts as
   * not made: its entry stays in flight until its lease is over.
   */
  onComplete(subject: string, tx: unknown, operation: string): unknown;
}

/** A call that is made no more. */
export interface AbandonedEffect {
  readonly entryId: string;
  readonly subject: string;
  readonly handler: string;
  readonly operation: string;
  readonly attempts: number;
  /** The class of what its last try failed with, never the message. */
  readonly error: string;
}

/** A method of the app that wants to know when a call of an operation was abandoned. */
export interface AbandonmentListener {
  readonly operation: string;
  /** Called once the abandonment is durable. What it throws is told to people, and changes nothing. */
  onAbandoned(entry: AbandonedEffect): unknown;
}
