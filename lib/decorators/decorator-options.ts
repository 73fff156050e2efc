import type { Retry } from '../engine/workflow-context.js';
import type { Duration } from '../time/duration.js';

/** What `@Workflow` may say besides the name. */
export interface WorkflowOptions {
  /** Raise it when `run` changes so that recorded histories no longer fit; keep the old class until its runs have ended. Default 1. */
  version?: number;
  /** For steps that say nothing themselves. Default: the module's `retry`. */
  retry?: Retry;
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
}
