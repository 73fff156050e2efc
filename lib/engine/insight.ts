import { compare } from '../core/protocol.js';
import {
  type AttributeValue,
  BLOCK_REASONS,
  type BlockReason,
  type ClaimedRun,
  type Limits,
  type ParentClose,
  type RunReason,
  type RunRecord,
  type RunStatus,
} from './run.js';
import type { EndedAttempt, LogLine } from './runs.js';
import type { StepKind, StepRecord, StepStatus } from './step.js';

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

/** Where a run stands in the order of a list. */
export const positionIn = ({ order }: ListRuns, { id, createdAt, finishedAt }: RunRecord): ListPosition => ({
  at: order === 'ended' ? (finishedAt ?? 0) : createdAt,
  id,
});

/** Which steps of which runs; all that is given must hold. */
export interface ListSteps {
  /** In their order. Their `limit` and `past` do not count. */
  runs: ListRuns;
  name?: string | undefined;
  /** Default: all but markers. */
  kind?: readonly StepKind[] | undefined;
  status?: readonly StepStatus[] | undefined;
  worker?: string | undefined;
  /** Asked for, the last time, at least so long ago, in ms. */
  olderThanMs?: number | undefined;
  /** Asked for less than so long ago, in ms. */
  youngerThanMs?: number | undefined;
  limit: number;
  past?: StepPosition | undefined;
}

/** The position of a step in the list of all: by its run. */
export interface StepPosition extends ListPosition {
  /** Null: after all steps of the run. */
  seq: number | null;
}

export interface ListedSteps {
  /** Without outputs, which are null. */
  steps: (StepRecord & { workflow: string })[];
  /** The start of the next page; undefined at the end. A page with `next` may be short, or empty. */
  next: StepPosition | undefined;
  /** Of how many runs the steps were looked at. */
  lookedAt: number;
}

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

/** A number that was counted up to a limit. */
export interface Counted {
  count: number;
  /** Whether there may be more. */
  more: boolean;
}

export interface RunCounts {
  /** Statuses without a run may be missing. */
  byStatus: ({ status: RunStatus } & Counted)[];
  /** How many runs were looked at. */
  lookedAt: number;
  /** Whether there are others, so that statuses that are missing may have runs. */
  more: boolean;
}

export interface BlockedRuns extends Counted {
  workflow: string;
  version: number;
  reason: BlockReason;
}

export const mostFirst = (a: BlockedRuns, b: BlockedRuns): number =>
  b.count - a.count || compare(a.workflow, b.workflow) || a.version - b.version || compare(a.reason, b.reason);

/** What holds a permit of a limiter, or waits for one. */
export interface LimiterUser {
  /** The run, or the step by its id. */
  holder: string;
  runId: string;
  /** When it came, epoch ms. */
  since: number;
}

/** A limiter that is in use, at a moment. */
export interface LimiterInUse {
  /** Its key in the storage, for the next page. */
  limiter: string;
  /** The name of the workflow, or `step:` and the name of the step. */
  name: string;
  key: string;
  limits: Limits;
  holding: Counted;
  waiting: Counted;
  /** Since when the first in the queue waits, epoch ms; null without a queue. */
  since: number | null;
  /** When it opens, epoch ms, if its rate closes it now. */
  openAt: number | null;
  /** Some of those that hold a permit, those who came first. */
  holders: LimiterUser[];
  /** The first of the queue, in its order. */
  line: LimiterUser[];
}

/** Signals of one name to one run or key that no run has taken. */
export interface UntakenSignals {
  name: string;
  addressed: 'run' | 'key';
  target: string;
  count: number;
  /** When the oldest of them was sent, epoch ms. */
  since: number;
  /** How many runs listen to them now. */
  listening: number;
}

export interface UntakenSignalsPage {
  signals: UntakenSignals[];
  /** How many signals were looked at: the newest ones. */
  lookedAt: number;
  more: boolean;
}

/** Which signals. Several together: those that fit all of them. */
export interface SignalsWanted {
  name?: string | undefined;
  /** Those to this run, or to this key. */
  run?: string | undefined;
  key?: string | undefined;
}

/** A step that waits for a signal. One that waits for several has several waits. */
export interface WaitInSight {
  runId: string;
  workflow: string;
  seq: number;
  step: string;
  /** Of the signal; null: nobody has recorded it. */
  name: string | null;
  /** Null: the signal must be sent to the run itself. */
  key: string | null;
  /** Since when, epoch ms. */
  since: number;
  /** Until when, epoch ms. */
  deadline: number | null;
}

/** A wait, in the order of waits: by the hash of what they wait for. */
export interface WaitCursor {
  channel: string;
  stepId: string;
}

export interface WaitsQuery {
  namespace: string;
  /** Those of this run, or those for the signal of this channel; otherwise all. */
  run?: string | undefined;
  channel?: string | undefined;
  after?: WaitCursor | undefined;
  limit: number;
}

/** Reads data about all runs of a namespace for people. Each read looks at a bounded number of rows. */
export interface FleetInsight {
  /**
   * The runs that match, by status, each counted up to `atMost`; with `more`, those among the newest runs, unless an index
   * has the status. `limit` and `past` of the query do not count.
   */
  counts(query: ListRuns, atMost: number): Promise<RunCounts>;
  /** Runs that stand still, by workflow, version and reason; those of each workflow and version counted up to `atMost`. */
  blocked(namespace: string, atMost: number): Promise<BlockedRuns[]>;
  /** The limiters with holders or a queue, in the order of their keys; counted up to `atMost`, `named` of each listed. */
  limiters(query: { namespace: string; after: string; limit: number; atMost: number; named: number }): Promise<{
    limiters: LimiterInUse[];
    /** The key with which the next page begins. */
    next: string | undefined;
  }>;
  /**
   * Among the newest `scan` signals to runs, and as many to keys; up to `limit` names and targets, oldest first. With a
   * `name` and a `run` or a `key`: among those of that channel; with a `run` alone: among up to `scan` to that run.
   */
  untakenSignals(
    query: { namespace: string; scan: number; limit: number } & SignalsWanted,
  ): Promise<UntakenSignalsPage>;
  /** A page of steps that wait for signals. It may be short: waits for calls, and those of other namespaces, are left out. */
  signalWaits(query: WaitsQuery): Promise<{
    waits: WaitInSight[];
    /** Where the next page begins. */
    next: WaitCursor | undefined;
  }>;
}

/**
 * Reads histories for people, by the key of their run and in parts. Payloads are read only where it says so: other steps
 * have `output: null`. Locks and changes nothing.
 */
export interface StepReads {
  /** The run as a claim would return it, whatever its status. */
  claimed(runId: string): Promise<ClaimedRun | undefined>;
  /** The first position of its life: `continueAsNew` and `restart` begin another, above all positions before. */
  firstSeq(runId: string): Promise<number | undefined>;
  /** The highest `settled` of its steps; 0 if none has an outcome. */
  lastSettled(runId: string): Promise<number>;
  /** The positions after `after`, in their order, at most `limit`. With `payloads` also outputs and inputs that are kept. */
  page(query: { runId: string; after: number; limit: number; payloads?: boolean }): Promise<StepRecord[]>;
  /** The steps whose outcomes came after the first `settled`, in the order of outcomes, at most `limit`. */
  settledAfter(query: { runId: string; settled: number; limit: number }): Promise<StepRecord[]>;
  /** The steps without an outcome, but no markers, with what they wait for; those asked last first, at most `limit`. */
  open(runId: string, limit: number): Promise<StepRecord[]>;
  /** Steps of the runs that match, by run and position: of as many runs as it can look at in a tenth of a second. */
  list(query: ListSteps): Promise<ListedSteps>;
  /** How many of the run's first 20,000 log lines belong to each of these positions that has any. */
  lineCounts(query: { runId: string; from: number; to: number }): Promise<ReadonlyMap<number, number>>;
}
