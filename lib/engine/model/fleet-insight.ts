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

/** Reads data about all runs of a namespace for people. Each read looks at a bounded number of rows. */
export interface FleetInsight {
  /** The runs that match, by status, each counted up to `atMost`. `limit` and `past` of the query do not count. */
  counts(query: ListRuns, atMost: number): Promise<RunCounts>;
  /** Runs that stand still, by workflow, version and reason; together counted up to `atMost`. */
  blocked(namespace: string, atMost: number): Promise<BlockedRuns[]>;
  /** The limiters with holders or a queue, in the order of their keys; counted up to `atMost`. */
  limiters(query: { namespace: string; after: string; limit: number; atMost: number }): Promise<{
    limiters: LimiterInUse[];
    /** The key with which the next page begins. */
    next: string | undefined;
  }>;
  /** Among the newest `scan` signals to runs, and as many to keys; up to `limit` names and targets, oldest first. */
  untakenSignals(query: { namespace: string; scan: number; limit: number }): Promise<UntakenSignalsPage>;
}
