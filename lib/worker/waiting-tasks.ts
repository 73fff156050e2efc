/* Tasks as people and monitors see them: counted by group, listed one by one, or those that nobody begins. */

/** The tasks of a group, at a moment. Numbers are of its oldest tasks, see {@link GroupsQuery.atMost}. */
export interface GroupInSight {
  group: string;
  /** Tasks that no worker has. */
  waiting: number;
  /** Dispatch time of the oldest of those that wait, epoch ms; null if none does. */
  since: number | null;
  /** Tasks that a worker has. */
  inHand: number;
  /** Tasks whose worker has not renewed its lease for {@link LAPSED_MS}. */
  lapsed: number;
  /** Whether the group has more tasks than were looked at. */
  more: boolean;
}

/** A worker that has not renewed its lease for so long no longer lives, whatever its lease is. */
export const LAPSED_MS = 300_000;

export interface GroupsQuery {
  /** The last group of the previous page, or an empty text. */
  after: string;
  limit: number;
  /** Groups that are listed even if they have no tasks: among the others, in the same order. Default: none. */
  also?: readonly string[];
  /** Only these, also those without tasks; then the page is all of them, and `after`, `limit` and `also` do not count. */
  groups?: readonly string[];
  /** How many tasks of a group are looked at, the oldest first. */
  atMost: number;
}

/** `lapsed`: its worker has not renewed its lease for {@link LAPSED_MS}. */
export const TASK_STATUSES = ['waiting', 'inHand', 'lapsed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Where a task stands in the list of all: by group, and within it the oldest first. */
export interface TaskPosition {
  group: string;
  createdAt: number;
  stepId: string;
}

export interface StoredTask extends TaskPosition {
  runId: string;
  seq: number;
  name: string;
  attempt: number;
  status: TaskStatus;
  /** The name of the worker that has it. */
  worker: string | null;
  /** When it was claimed, or its lease renewed, epoch ms. */
  claimedAt: number | null;
}

/** Which tasks; all that is given must hold. */
export interface TasksQuery {
  group?: string | undefined;
  /** The name of the step. */
  name?: string | undefined;
  status?: TaskStatus | undefined;
  worker?: string | undefined;
  /** Only tasks that were dispatched this long ago, in ms. */
  olderThanMs: number;
  after?: TaskPosition | undefined;
  limit: number;
}

export interface StoredTasksPage {
  tasks: StoredTask[];
  /** Where the next page continues; undefined at the end. */
  next: TaskPosition | undefined;
}

/** The most tasks that are looked at for one page. */
export const MOST_TASKS_SCANNED = 10_000;

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
