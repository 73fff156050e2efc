/** What was read of an app's tables, and where the channel stood at that moment. */
export interface ChannelSnapshot<T> {
  data: T;
  /** Every event up to this number is in `data`, and none behind it: what a stream of the channel goes on after. */
  sequenceId: string;
}

/** Reads of an app that a stream of events can go on from. */
export interface ChannelSnapshots {
  /**
   * `read` and the position of the channel are of one moment. Of other channels the number says nothing. `handle` is
   * what the app's ORM reads with; `read` may run more than once, and should change nothing.
   */
  snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>>;
}
