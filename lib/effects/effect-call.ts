/** One call to the outside world. */
export interface EffectCall {
  /** The name of an `@Effect` method, of this process or of another one. */
  handler: string;
  /** What the call is about, as an id of the other side: a text, a number or a small object. At most 8 KiB of JSON. */
  ref: unknown;
  /** What the handler needs besides; erased once the call has come to its end. */
  payload?: unknown;
}

/** What `Effects.enqueue` takes. */
export interface EffectOperation {
  /** 1 to 191 characters. */
  operation: string;
  /** 1 to 255 characters that stand for nothing else: calls with the same operation and subject complete together. */
  subject: string;
  /** Each handler and ref once. None: nothing is written. */
  calls: readonly EffectCall[];
}

/** A checked call on its way into storage. */
export interface NewEffect {
  readonly entryId: string;
  readonly operation: string;
  readonly subject: string;
  readonly handler: string;
  /** As the codec wrote it. */
  readonly ref: string;
  /** The same; null when there is none. */
  readonly payload: string | null;
}
