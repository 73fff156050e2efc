import type { EndedAttempt, LogLine } from './run-store.js';
import {
  type AttributeValue,
  BLOCK_REASONS,
  type Limits,
  type ParentClose,
  type RunReason,
  type RunRecord,
  type RunStatus,
} from './run.js';

/** The position of a run in the order of a list. */
export interface ListPosition {
  /** When it was created or, in the order of ends, when it ended. */
  at: number;
  id: string;
}

/** What the steps of a run may wait for, or the run itself before it begins. */
export const WAITS_FOR = ['task', 'retry', 'timer', 'signal', 'child', 'limiter', 'run'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

export type Comparison = '=' | '>' | '>=' | '<' | '<=';

/** All comparisons must hold. Their values have the same type; only attributes of that type match. */
export interface AttributeFilter {
  name: string;
  compare: readonly { how: Comparison; value: AttributeValue }[];
}

export interface ListRuns {
  namespace: string;
  idPrefix?: string;
  status?: readonly RunStatus[];
  reason?: readonly RunReason[];
  /** Only blocked runs. */
  blocked?: boolean;
  waitsFor?: readonly WaitsFor[];
  workflow?: string;
  version?: number;
  attributes?: readonly AttributeFilter[];
  /** Created at this time or later, epoch ms. */
  createdFrom?: number;
  /** Created before this time, epoch ms. */
  createdBefore?: number;
  /** Ended at this time or later, epoch ms. */
  endedFrom?: number;
  /** Ended before this time, epoch ms. */
  endedBefore?: number;
  parentId?: string;
  scheduleId?: string;
  /** Default `newest`. `ended`: only those that have ended, the last one first. */
  order?: 'newest' | 'oldest' | 'ended';
  limit: number;
  /** False: `input` and `output` are not read, and are null. Default true. */
  payloads?: boolean;
  /** The end of the previous page. */
  past?: ListPosition;
}

export interface ListedRuns {
  runs: RunRecord[];
  /** The start of the next page; undefined at the end. A page with `next` may have fewer runs than `limit`. */
  next: ListPosition | undefined;
  /** How many runs were looked at. */
  lookedAt: number;
}

/**
 * The most runs that are read for one page, unless none of them matches: then more are read, for a tenth of a second. If
 * too few match, the page is short or empty, but has a `next`. What runs wait for is in their steps: there a tenth of a
 * second is enough, whatever was found.
 */
export const MOST_SCANNED = 10_000;

/** Whether a run matches the query, apart from its attributes and what it waits for. */
export function isListed(run: RunRecord, query: ListRuns): boolean {
  const { namespace, status, reason, blocked, workflow, version, createdFrom, createdBefore } = query;
  const { parentId, scheduleId, idPrefix = '' } = query;
  const reasons = [...(reason ? [reason] : []), ...(blocked ? [BLOCK_REASONS] : [])];
  return (
    run.namespace === namespace &&
    run.id.startsWith(idPrefix) &&
    hasEnded(run, query) &&
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

function hasEnded({ finishedAt }: RunRecord, { endedFrom, endedBefore, order }: ListRuns): boolean {
  if (endedFrom === undefined && endedBefore === undefined && order !== 'ended') return true;
  return finishedAt !== null && finishedAt >= (endedFrom ?? 0) && finishedAt < (endedBefore ?? Infinity);
}

/** An attempt that has ended, see {@link EndedAttempt}. Only the last one of a step may have completed. */
export interface AttemptRecord {
  runId: string;
  seq: number;
  attempt: number;
  outcome: EndedAttempt['outcome'] | 'completed';
  askedAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  worker: string | null;
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
  /** The run, or its limited step. */
  holder: string;
  name: string;
  key: string;
  /** True: it has its permit; false: it waits for one. */
  granted: boolean;
  limits: Limits;
  /** How many are before it in the queue, counted up to {@link MOST_COUNTED}. */
  ahead: number;
  /** How many hold a permit, counted up to {@link MOST_COUNTED}. */
  holding: number;
  /** When the limiter opens, if its rate closes it now. */
  openAt: number | null;
}

/** The facts that explain a run's state. Lists hold at most {@link MOST_LISTED} items. */
export interface RunSurroundings {
  /** Its unanswered tasks. */
  tasks: TaskInSight[];
  /** Its waits for signals: the channel is a hash; the step at `seq` has the signal's name and key. */
  signals: { seq: number; channel: string; deadline: number | null }[];
  /** Runs that it waits for before it begins; the status is null if the run no longer exists. */
  after: { id: string; status: string | null }[];
  /** Its permit in a limiter, or those of its steps. */
  limiters: LimiterInSight[];
}

export const MOST_LISTED = 1_000;
export const MOST_LINES = 20_000;
export const MOST_ATTEMPTS = 20_000;
export const MOST_COUNTED = 10_000;

/** Reads data about runs for people and tools. Each read is bounded; there are no long snapshots. */
export interface RunInsight {
  /** The first 20,000 failed attempts that were followed by another, of all steps or of some, in order. */
  attempts(runId: string, seqs?: readonly number[]): Promise<AttemptRecord[]>;
  /** The first 20,000 log lines, of the run or of one of its steps, in the order in which they were written. */
  logs(runId: string, seq?: number): Promise<LogLine[]>;
  /** Grouped by run, in the order of the names. */
  attributes(runIds: readonly string[]): Promise<{ runId: string; name: string; value: AttributeValue }[]>;
  /** Direct children, oldest first. */
  children(runId: string, limit: number): Promise<(RunRecord & { parentClose: ParentClose | null })[]>;
  surroundings(run: RunRecord): Promise<RunSurroundings>;
  /** The runs with these ids; their inputs and outputs are not read, and are null. */
  withoutPayloads(runIds: readonly string[]): Promise<RunRecord[]>;
}
