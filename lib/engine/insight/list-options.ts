import type { KnownOptions } from '../../options/known-options.js';
import type { WaitsFor } from '../model/run-insight.js';
import type { AttributeValue, RunReason, RunStatus } from '../model/run.js';
import type { WorkflowRunStatus } from './workflow-status.js';

export interface WorkflowPage {
  runs: WorkflowRunStatus[];
  /**
   * Pass it to the next `list`; undefined on the last page. A page with a cursor may still have fewer runs than
   * `limit`, or none: one call looks at 10,000 runs, or, as long as none matches, at up to 100,000 for a tenth of a
   * second.
   */
  cursor?: string;
  /** How many runs were looked at for this page. */
  lookedAt: number;
}

/** A range of numbers or times; all bounds must hold. */
export interface AttributeRange<T extends number | Date = number | Date> {
  gt?: T;
  gte?: T;
  lt?: T;
  lte?: T;
}

/** Which runs; all that is given must hold. */
export interface RunsFilter {
  /** Their ids begin with this text. */
  idPrefix?: string;
  status?: RunStatus | readonly RunStatus[];
  reason?: RunReason | readonly RunReason[];
  /** Only blocked runs, for example runs whose code does not match their history. */
  blocked?: boolean;
  /**
   * Runs that wait for one of these: a `task` in the hands of workers, the `retry` of a step, a `timer`, a `signal` (also
   * the calls of `ctx.effects`), a `child`, a permit or a turn of a `limiter`, or another `run` before they begin.
   */
  waitsFor?: WaitsFor | readonly WaitsFor[];
  workflow?: string;
  version?: number;
  /**
   * The attributes from the start or the last `ctx.setAttributes`. All of them must match, including their types.
   *
   * @example
   * await workflows.list({ attributes: { customer: 'acme', amount: { gte: 1_000 } } });
   */
  attributes?: Readonly<Record<string, AttributeValue | AttributeRange<number> | AttributeRange<Date>>>;
  /** Created at this time or later. */
  createdAfter?: Date;
  /** Created before this time. */
  createdBefore?: Date;
  /** Ended at this time or later. */
  endedAfter?: Date;
  /** Ended before this time. */
  endedBefore?: Date;
  /** The id of the run that started them. */
  parent?: string;
  /** The id of the schedule that started them. */
  schedule?: string;
}

export interface ListOptions extends RunsFilter {
  /**
   * `'newest'`, the default, or `'oldest'` first, by their creation; `'ended'`: only runs that have ended, the last one
   * first.
   */
  order?: 'newest' | 'oldest' | 'ended';
  /** Runs per page, at most 1,000. Default 100. */
  limit?: number;
  /** The cursor of the previous page, with the same filters and order. */
  cursor?: string;
  /** False: inputs and outputs are not read, and are null. Default true. */
  payloads?: boolean;
}

export const RUN_FILTERS = {
  idPrefix: true,
  status: true,
  reason: true,
  blocked: true,
  waitsFor: true,
  workflow: true,
  version: true,
  attributes: true,
  createdAfter: true,
  createdBefore: true,
  endedAfter: true,
  endedBefore: true,
  parent: true,
  schedule: true,
} satisfies KnownOptions<RunsFilter>;

export const LIST_OPTIONS = {
  ...RUN_FILTERS,
  order: true,
  limit: true,
  cursor: true,
  payloads: true,
} satisfies KnownOptions<ListOptions>;
