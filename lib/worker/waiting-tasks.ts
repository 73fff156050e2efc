/** Tasks of one name in one group that wait, and that nobody begins. */
export interface UnservedTasks {
  name: string;
  group: string;
  /** Counted up to a limit. */
  count: number;
  /** Dispatch time of the oldest, epoch ms. */
  since: number;
  /** The run of that one. */
  runId: string;
}

/** One request for a step. */
export interface TaskAttempt {
  stepId: string;
  attempt: number;
}

/** Where the next look continues. Opaque; pass it back unchanged. */
export type WaitingCursor = object;

export interface WaitingQuery {
  /** Only tasks that were dispatched this long ago, in ms. */
  olderThanMs: number;
  /** Only these groups. Default: all. */
  groups?: readonly string[];
  cursor: WaitingCursor | undefined;
}

/** Tasks of one name in one group, of those that one look has read. */
export interface WaitingTasks {
  name: string;
  group: string;
  /** How many nobody has claimed. */
  count: number;
  /** Whether a worker has claimed one of them, or renewed its claim, within {@link LAPSED_MS}. */
  isClaimed: boolean;
  /** The oldest one that nobody has claimed. */
  oldest: TaskAttempt & { runId: string };
  /** Its dispatch time, epoch ms by the storage's clock. */
  since: number;
  /** How long it has waited, in ms. */
  waitedMs: number;
}

export interface WaitingPage {
  /** Oldest first. */
  tasks: WaitingTasks[];
  cursor: WaitingCursor;
}
