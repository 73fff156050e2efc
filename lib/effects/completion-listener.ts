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
