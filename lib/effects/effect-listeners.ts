/** The listeners that are called when operations complete or calls are abandoned, in the order of registration. */
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

/** A method of the app that is called when all calls of an operation for a subject have succeeded. */
export interface CompletionListener {
  readonly operation: string;
  /**
   * Called inside the transaction that settles the last call, at most once each time that the last open call of the
   * group succeeds. `tx` is the transaction handle of the app's ORM. When it throws, the settlement rolls back: the
   * entry stays in flight until its lease expires.
   */
  onComplete(subject: string, tx: unknown, operation: string): unknown;
}

/** A call that is not made again. */
export interface AbandonedEffect {
  readonly entryId: string;
  readonly subject: string;
  readonly handler: string;
  readonly operation: string;
  readonly attempts: number;
  /** The class of the last try's error, never its message. */
  readonly error: string;
}

/** A method of the app that is called when a call of an operation was abandoned. */
export interface AbandonmentListener {
  readonly operation: string;
  /** Called once the abandonment is committed. Errors that it throws are logged and have no other effect. */
  onAbandoned(entry: AbandonedEffect): unknown;
}
