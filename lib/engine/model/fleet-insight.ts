import type { ListRuns } from './run-insight.js';
import type { BlockReason, Limits, RunStatus } from './run.js';

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
