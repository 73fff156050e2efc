/** Events of one channel. */
export interface EraseEvents {
  readonly channel: string;
  /** Only these. Default: all. */
  readonly mutationIds?: readonly string[];
  /** The number after which the page begins. */
  readonly after: string;
  /** The most events that are read for the page. */
  readonly limit: number;
}

export interface EraseDeadLetters extends EraseEvents {
  readonly destination: string;
  /** Otherwise they are only reported: somebody may requeue them. */
  readonly discards: boolean;
}

export interface ErasedEvents {
  readonly erased: number;
  /** Events that are still to be published: they are not changed. */
  readonly kept: readonly KeptEvent[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

export interface KeptEvent {
  readonly channel: string;
  readonly mutationId: string;
  readonly sequenceId: string;
}

/** Removes what events hold about a person. Nothing that is still to be published is touched. Each page is one commit. */
export interface EventErasure {
  /**
   * Blanks data and headers of the page's events that every destination has received. Number, channel, name and
   * mutation id stay, so readers of retained events see no gap.
   */
  erase(request: EraseEvents): Promise<ErasedEvents>;
  /**
   * With `discards`, deletes the page's dead letters, also those behind another one, but not requeued ones, which are
   * still to be published. The state of the channel is not changed: a parked one stays parked.
   */
  eraseDead(request: EraseDeadLetters): Promise<ErasedEvents>;
  /** Removes the texts of errors that these channels have overcome. */
  forgetErrors(destinations: readonly string[], channels: readonly string[]): Promise<void>;
}

/** Of dead letters that will be published without anybody's doing. Those `behind` another one are requeued like it. */
export const PENDING = 'requeued';
