// For apps that load this file before NestJS.

import 'reflect-metadata';
import type {
  EffectOptions,
  OnOutboxMessageOptions,
  OutboxPublisherOptions,
  RemoteStepOptions,
  WorkerOptions,
  WorkflowOptions,
} from './decorator-options.js';
import type { KeyedLimits } from '../engine/model/limit-requests.js';
import type { WorkflowTraits } from '../engine/model/workflow-registry.js';
import type { RunWish } from '../outbox/model/run-wishes.js';
import { toMs } from '../time/duration.js';

/** Metadata keys: strings, so that every copy of this package uses the same ones. */
export const WORKFLOW_METADATA = 'durable:workflow';
export const WORKER_METADATA = 'durable:worker';
export const REMOTE_STEP_METADATA = 'durable:remote-step';
export const OUTBOX_PUBLISHER_METADATA = 'durable:outbox-publisher';
export const ON_OUTBOX_MESSAGE_METADATA = 'durable:on-outbox-message';
export const ON_RUN_METADATA = 'durable:on-run';
export const EFFECT_METADATA = 'durable:effect';
export const ON_OPERATION_COMPLETE_METADATA = 'durable:on-operation-complete';
export const ON_ABANDONED_METADATA = 'durable:on-abandoned';

/**
 * The metadata that a decorator has stored for the methods of a class, by method name. Includes inherited methods; for
 * an overridden method, the nearest declaration counts.
 */
function decoratedMethods<Declared>(target: object, metadataKey: string): Map<string, Declared> {
  const methods = new Map<string, Declared>();
  const prototype = (target as { prototype?: object }).prototype;
  for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const method of Object.getOwnPropertyNames(at)) {
      const declared = Reflect.getOwnMetadata(metadataKey, at, method) as Declared | undefined;
      if (declared && !methods.has(method)) methods.set(method, declared);
    }
  }
  return methods;
}

export type DeclaredEffect = EffectOptions & { name: string };

/** The `@Effect` methods of a class by their names, inherited ones included. */
export const effectsOf = (target: object): Map<string, DeclaredEffect> =>
  decoratedMethods<DeclaredEffect>(target, EFFECT_METADATA);

/** The operations of `@OnOperationComplete` methods by their names, inherited ones included. */
export const completionsOf = (target: object): Map<string, readonly string[]> =>
  decoratedMethods<readonly string[]>(target, ON_OPERATION_COMPLETE_METADATA);

/** The operations of `@OnAbandoned` methods by their names, inherited ones included. */
export const abandonmentsOf = (target: object): Map<string, readonly string[]> =>
  decoratedMethods<readonly string[]>(target, ON_ABANDONED_METADATA);

export type DeclaredPublisher = OutboxPublisherOptions & { name: string };
export type DeclaredHandler = OnOutboxMessageOptions & { patterns: readonly string[] };

/** The `@OutboxPublisher` options of a class or of a class it extends. */
export const publisherOf = (target: object): DeclaredPublisher | undefined =>
  Reflect.getMetadata(OUTBOX_PUBLISHER_METADATA, target) as DeclaredPublisher | undefined;

/** The `@OnOutboxMessage` methods of a class by their names, inherited ones included. */
export const messageHandlersOf = (target: object): Map<string, DeclaredHandler> =>
  decoratedMethods<DeclaredHandler>(target, ON_OUTBOX_MESSAGE_METADATA);

/** The `@OnRunEnded` and `@OnRunBlocked` methods of a class by their names, inherited ones included. */
export const runHooksOf = (target: object): Map<string, DeclaredHook> =>
  decoratedMethods<DeclaredHook>(target, ON_RUN_METADATA);

/** What `@OnRunEnded` or `@OnRunBlocked` stores for a method. */
export interface DeclaredHook {
  name?: string;
  wishes: readonly Omit<RunWish, 'namespace'>[];
}

export type DeclaredWorkflow = WorkflowOptions & { name: string };
export type DeclaredStep = RemoteStepOptions & { name: string };

/** The `@Workflow` options of a class or of a class it extends. */
export const workflowOf = (target: object): DeclaredWorkflow | undefined =>
  Reflect.getMetadata(WORKFLOW_METADATA, target) as DeclaredWorkflow | undefined;

/** The options of a workflow that the process that starts a run needs. */
export function traitsOf({
  retry,
  onExhausted,
  keepInputs,
  timeout,
  schedules,
  input,
  ...options
}: WorkflowOptions): WorkflowTraits {
  const limits = limitsOf(options);
  return {
    ...(retry !== undefined && { retry }),
    ...(onExhausted !== undefined && { onExhausted }),
    ...(keepInputs !== undefined && { keepInputs }),
    ...(timeout !== undefined && { timeoutMs: toMs(timeout) }),
    ...(schedules && { schedules }),
    ...(input && { input }),
    ...(limits && { limits }),
  };
}

/** Returns undefined if neither limit is set. */
export function limitsOf({
  concurrency,
  rateLimit,
}: Pick<WorkflowOptions, 'concurrency' | 'rateLimit'>): KeyedLimits | undefined {
  const rate = rateLimit && {
    max: rateLimit.max,
    durationMs: toMs(rateLimit.duration),
    ...(rateLimit.key && { key: rateLimit.key }),
  };
  return (concurrency ?? rate) && { ...(concurrency && { concurrency }), ...(rate && { rate }) };
}

/** The `@Worker` options of a class or of a class it extends. */
export const workerOf = (target: object): WorkerOptions =>
  (Reflect.getMetadata(WORKER_METADATA, target) as WorkerOptions | undefined) ?? {};

/** Whether a class has remote steps, or says that it has. */
export const isWorker = (target: object): boolean =>
  Reflect.hasMetadata(WORKER_METADATA, target) || remoteStepsOf(target).size > 0;

/** The `@RemoteStep` methods of a class by their names, inherited ones included. */
export const remoteStepsOf = (target: object): Map<string, DeclaredStep> =>
  decoratedMethods<DeclaredStep>(target, REMOTE_STEP_METADATA);
