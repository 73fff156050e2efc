/** A request to run one remote step; an engine dispatches it and a worker claims it. A row of the tasks table. */
export interface StepTask {
  /** `<runId>:<seq>`; the idempotency key of the step, the same on every attempt. */
  stepId: string;
  runId: string;
  /** Position of the step in its run. A compensation has -1 minus the position of the step that it undoes. */
  seq: number;
  /** The handler key, spelled as the workflow spelled it. */
  name: string;
  /** The queue token that workers poll (`grp` in the contract). */
  group: string;
  /** JSON text. */
  input: string;
  /** The number of the attempt, from 1. A higher attempt replaces the row of a lower one. */
  attempt: number;
  /** The task goes before tasks dispatched up to this many seconds earlier; from -1,000 to 1,000, default 0. */
  priority?: number;
}

/**
 * The answer to a {@link StepTask}, as its row holds it. The texts are not decoded yet, because a foreign
 * worker may have written invalid JSON.
 */
export interface StepAnswer {
  stepId: string;
  runId: string;
  seq: number;
  status: 'completed' | 'failed';
  output: string | null;
  error: string | null;
  /** When the worker claimed the task, epoch ms by the worker's clock; null if the worker did not report it. */
  startedAt: number | null;
  /** When the answer was written, epoch ms. */
  createdAt: number;
  /** Who ran the attempt, and its number; undefined if the writer did not report it. */
  by?: { worker: string; attempt: number } | undefined;
}

/** The identity of a step on the wire. */
export const stepIdOf = (runId: string, seq: number): string => `${runId}:${seq}`;

/** The queue token of a step: its name with `:` replaced by `-`, in its partition. */
export const groupOf = (name: string, partition?: string): string => inPartition(name.replaceAll(':', '-'), partition);

/** A group with `@<partition>` appended, unless that is `''` or `default`. */
export const inPartition = (group: string, partition?: string): string =>
  partition && partition !== 'default' ? `${group}@${partition}` : group;
