import { REMOTE_STEP_METADATA, WORKER_METADATA, WORKFLOW_METADATA } from './metadata.js';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from './decorator-options.js';

export type DeclaredWorkflow = WorkflowOptions & { name: string };
export type DeclaredStep = RemoteStepOptions & { name: string };

/** What `@Workflow` says of a class, or of one it extends. */
export const workflowOf = (target: object): DeclaredWorkflow | undefined =>
  Reflect.getMetadata(WORKFLOW_METADATA, target) as DeclaredWorkflow | undefined;

/** What `@Worker` says of a class, or of one it extends. */
export const workerOf = (target: object): WorkerOptions =>
  (Reflect.getMetadata(WORKER_METADATA, target) as WorkerOptions | undefined) ?? {};

/** The `@RemoteStep` methods of a class by their names, inherited ones included. */
export function remoteStepsOf(target: object): Map<string, DeclaredStep> {
  const steps = new Map<string, DeclaredStep>();
  const prototype = (target as { prototype?: object }).prototype;
  for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const method of Object.getOwnPropertyNames(at)) {
      const step = Reflect.getOwnMetadata(REMOTE_STEP_METADATA, at, method) as DeclaredStep | undefined;
      if (step && !steps.has(method)) steps.set(method, step);
    }
  }
  return steps;
}
