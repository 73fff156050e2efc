import type { DeclaredSchedule } from '../engine/model/schedule-spec.js';
import type { Retry } from '../engine/model/workflow-context.js';
import type { Duration } from '../time/duration.js';

/** What `@Workflow` may say besides the name. */
export interface WorkflowOptions {
  /** Raise it when `run` changes so that recorded histories no longer fit; keep the old class until its runs have ended. Default 1. */
  version?: number;
  /** For steps that say nothing themselves. Default: the module's `retry`. */
  retry?: Retry;
  /** How long a run may take; then it fails, and what it did is compensated. Default: as long as it likes. */
  timeout?: Duration;
  /** How many runs at once, from their beginning to their end; with `key` so many for each. */
  concurrency?: ConcurrencyLimit;
  /**
   * How many runs may begin in any time of this length; with `key` so many for each. Beside `concurrency` it has the
   * same key: both are of one line.
   */
  rateLimit?: RateLimit;
  /**
   * When runs begin by themselves. Written down when an engine starts: what changed is replaced, and what is gone from
   * the code is removed by the next engine with this workflow that starts. Paused ones stay paused.
   */
  schedules?: readonly DeclaredSchedule[];
}

/** `key` is given the input and answers a text of 1 to 191 characters. */
export interface ConcurrencyLimit {
  limit: number;
  key?: (input: never) => string;
}

/** `key` is given the input and answers a text of 1 to 191 characters. */
export interface RateLimit {
  max: number;
  duration: Duration;
  key?: (input: never) => string;
}

/** What `@Worker` may say, for all remote steps of one class. */
export interface WorkerOptions {
  /** How many of them run at once in this process. Default: as many as the process runs at all. */
  concurrency?: number;
  /** The queue token that their tasks wait in. Default: each step's name with `:` replaced by `-`. */
  group?: string;
  /** Appended to the group as `@partition`, unless it is empty or `default`. */
  partition?: string;
  /** How long a claim holds without being renewed; others take the task over after that. Default: the module's. */
  leaseDuration?: Duration;
  /** For steps that say nothing themselves. Default: the module's `retry`. */
  retry?: Retry;
}

/** What `@RemoteStep` may say besides the name. */
export interface RemoteStepOptions {
  /** Default: that of the class, then the module's. */
  retry?: Retry;
  /** How long the handler may take per attempt; then its signal aborts and the attempt has failed. Default: as long as it likes. */
  timeout?: Duration;
  /**
   * How many at once in the whole fleet, whatever processes and languages serve it, from being asked to the answer; with
   * `key` so many for each. The others wait in line: by `priority`, then first come, first served.
   */
  concurrency?: ConcurrencyLimit;
  /** How many may be asked in any time of this length; with `key` so many for each. Beside `concurrency` it has the same key. */
  rateLimit?: RateLimit;
}
