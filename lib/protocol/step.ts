/** One request to run one remote step: what an engine dispatches and a worker claims. A row of the tasks table. */
export interface StepTask {
  /** `<runId>:<seq>`; the idempotency key of the step, the same on every attempt. */
  stepId: string;
  runId: string;
  /** Position of the step in its run. Compensations count down from -1. */
  seq: number;
  /** The handler key, spelled as the workflow spelled it. */
  name: string;
  /** The queue token workers poll (the contract's `grp`). */
  group: string;
  /** JSON text. */
  input: string;
  /** The n-th try, from 1. A higher attempt replaces the row of a lower one. */
  attempt: number;
  /** Goes before tasks that were dispatched up to so many seconds earlier; from -1,000 to 1,000, default 0. */
  priority?: number;
}

/**
 * The answer to a {@link StepTask}, as its row holds it: texts that nobody has decoded yet, because
 * a foreign worker may have written anything into them.
 */
export interface StepAnswer {
  stepId: string;
  runId: string;
  seq: number;
  status: 'completed' | 'failed';
  output: string | null;
  error: string | null;
  /** When the worker picked the task up, epoch ms by the worker's word; null when it did not say. */
  startedAt: number | null;
  /** When the answer was written, epoch ms. */
  createdAt: number;
}

/** The identity of a step on the wire. */
export const stepIdOf = (runId: string, seq: number): string => `${runId}:${seq}`;

/** The queue token of a step: its name with `:` replaced by `-`, in its partition. */
export const groupOf = (name: string, partition?: string): string => inPartition(name.replaceAll(':', '-'), partition);

/** A group with `@<partition>` appended, unless that is `''` or `default`. */
export const inPartition = (group: string, partition?: string): string =>
  partition && partition !== 'default' ? `${group}@${partition}` : group;
