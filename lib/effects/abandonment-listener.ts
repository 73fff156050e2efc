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
