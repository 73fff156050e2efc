import type { LogLine } from './run-store.js';
import {
  type AttributeValue,
  BLOCK_REASONS,
  type Limits,
  type ParentClose,
  type RunReason,
  type RunRecord,
  type RunStatus,
} from './run.js';

/** Where a run stands in the order of creation. */
export interface ListPosition {
  createdAt: number;
  id: string;
}

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

/** All of them have to hold. The values are of one type, and so is what they are compared with. */
export interface AttributeFilter {
  name: string;
  compare: readonly { how: Comparison; value: AttributeValue }[];
}

export interface ListRuns {
  namespace: string;
  status?: readonly RunStatus[];
  reason?: readonly RunReason[];
  /** Only runs that stand still until code comes that fits, or somebody helps. */
  blocked?: boolean;
  workflow?: string;
  version?: number;
  attributes?: readonly AttributeFilter[];
  /** Created at this time or later, epoch ms. */
  createdFrom?: number;
  /** Created before this time, epoch ms. */
  createdBefore?: number;
  parentId?: string;
  scheduleId?: string;
  /** Default `newest`. */
  order?: 'newest' | 'oldest';
  limit: number;
  /** Where the last page ended. */
  past?: ListPosition;
}

export interface ListedRuns {
  runs: RunRecord[];
  /** Where the next page begins; undefined when there is none. The page may be short all the same. */
  next: ListPosition | undefined;
}

/**
 * The most runs that are looked at for one page: when so many hold too few that fit, the page is short, or empty, and
 * says where to go on.
 */
export const MOST_SCANNED = 10_000;

/** Whether a run is what is asked for, apart from its attributes. */
export function isListed(run: RunRecord, query: ListRuns): boolean {
  const { namespace, status, reason, blocked, workflow, version, createdFrom, createdBefore } = query;
  const { parentId, scheduleId } = query;
  const reasons = [...(reason ? [reason] : []), ...(blocked ? [BLOCK_REASONS] : [])];
  return (
    run.namespace === namespace &&
    (!status || status.includes(run.status)) &&
    reasons.every((among) => among.some((known) => known === run.reason)) &&
    (workflow === undefined || run.workflow === workflow) &&
    (version === undefined || run.version === version) &&
    (createdFrom === undefined || run.createdAt >= createdFrom) &&
    (createdBefore === undefined || run.createdAt < createdBefore) &&
    (parentId === undefined || run.parentId === parentId) &&
    (scheduleId === undefined || run.scheduleId === scheduleId)
  );
}

export interface AttemptRecord {
  runId: string;
  seq: number;
  attempt: number;
  startedAt: number | null;
  finishedAt: number | null;
  error: string | null;
}

export interface TaskInSight {
  stepId: string;
  seq: number;
  name: string;
  group: string;
  attempt: number;
  claimedBy: string | null;
  claimedAt: number | null;
  createdAt: number;
}

export interface LimiterInSight {
  /** The run, or the step of it that is limited. */
  holder: string;
  name: string;
  key: string;
  /** It has its permit; otherwise it waits for one. */
  granted: boolean;
  limits: Limits;
  /** How many are before it in the queue, counted up to {@link MOST_COUNTED}. */
  ahead: number;
  /** How many have a permit, counted up to {@link MOST_COUNTED}. */
  holding: number;
  /** When a limiter that is closed for its rate opens. */
  openAt: number | null;
}

/** All that is known of why a run is where it is. Lists hold at most {@link MOST_LISTED}. */
export interface RunSurroundings {
  /** The storage's clock. */
  now: number;
  /** Its tasks that nobody has answered. */
  tasks: TaskInSight[];
  /** Its waits for signals: the channel is a hash, and the step at `seq` says what it stands for. */
  signals: { seq: number; channel: string; deadline: number | null }[];
  /** Runs it has to wait for before it begins; the status is null when nobody knows them any more. */
  after: { id: string; status: string | null }[];
  /** Its permit in a limiter, or those of its steps. */
  limiters: LimiterInSight[];
  /** Until when its owner is known to live; undefined when nobody owns it or its owner is not signed in. */
  ownerAliveUntil: number | undefined;
  /** How many processes of its namespace are signed in. */
  nodes: number;
}

export const MOST_LISTED = 1_000;
export const MOST_COUNTED = 10_000;

/** What people want to see of runs, beyond what playing them needs. Reads only, each bounded, no long snapshots. */
export interface RunInsight {
  /** Those that failed and were followed by another, in order. */
  attempts(runId: string): Promise<AttemptRecord[]>;
  /** The first 20,000, in the order in which they were written. */
  logs(runId: string): Promise<LogLine[]>;
  /** In the order of the names, run by run. */
  attributes(runIds: readonly string[]): Promise<{ runId: string; name: string; value: AttributeValue }[]>;
  /** Direct children, oldest first. */
  children(runId: string, limit: number): Promise<(RunRecord & { parentClose: ParentClose | null })[]>;
  surroundings(run: RunRecord): Promise<RunSurroundings>;
}
