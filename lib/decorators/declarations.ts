import type { KeyedLimits } from '../engine/model/limit-requests.js';
import type { WorkflowTraits } from '../engine/model/workflow-registry.js';
import { toMs } from '../time/duration.js';
import { decoratedMethods } from './decorated-methods.js';
import { REMOTE_STEP_METADATA, WORKER_METADATA, WORKFLOW_METADATA } from './metadata.js';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from './decorator-options.js';

export type DeclaredWorkflow = WorkflowOptions & { name: string };
export type DeclaredStep = RemoteStepOptions & { name: string };

/** What `@Workflow` says of a class, or of one it extends. */
export const workflowOf = (target: object): DeclaredWorkflow | undefined =>
  Reflect.getMetadata(WORKFLOW_METADATA, target) as DeclaredWorkflow | undefined;

/** What whoever starts a run has to know of its workflow. */
export function traitsOf({ retry, timeout, schedules, ...options }: WorkflowOptions): WorkflowTraits {
  const limits = limitsOf(options);
  return {
    ...(retry !== undefined && { retry }),
    ...(timeout !== undefined && { timeoutMs: toMs(timeout) }),
    ...(schedules && { schedules }),
    ...(limits && { limits }),
  };
}

/** Undefined where nothing is limited. */
export function limitsOf({
  concurrency,
  rateLimit,
}: Pick<WorkflowOptions, 'concurrency' | 'rateLimit'>): KeyedLimits | undefined {
  const rate = rateLimit && {
    ...{ max: rateLimit.max, durationMs: toMs(rateLimit.duration) },
    ...(rateLimit.key && { key: rateLimit.key }),
  };
  return (concurrency ?? rate) && { ...(concurrency && { concurrency }), ...(rate && { rate }) };
}

/** What `@Worker` says of a class, or of one it extends. */
export const workerOf = (target: object): WorkerOptions =>
  (Reflect.getMetadata(WORKER_METADATA, target) as WorkerOptions | undefined) ?? {};

/** The `@RemoteStep` methods of a class by their names, inherited ones included. */
export const remoteStepsOf = (target: object): Map<string, DeclaredStep> =>
  decoratedMethods<DeclaredStep>(target, REMOTE_STEP_METADATA);
