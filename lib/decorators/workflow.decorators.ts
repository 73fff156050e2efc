import { Injectable } from '@nestjs/common';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from './decorator-options.js';
import { REMOTE_STEP_METADATA, WORKER_METADATA, WORKFLOW_METADATA } from './declarations.js';
import { checkStepOptions, checkWorkerOptions, checkWorkflowOptions, methodRefusal } from './option-checks.js';
import { checkName } from '../engine/model/names.js';
import type { ClassOf, WorkflowRunner } from '../engine/model/workflow-context.js';
import { ConfigurationError } from '../errors.js';
import type { StepContext } from '../worker/handler-registry.js';

/** Nest's own metadata key. Options of an `@Injectable({ scope })` on the same class must survive. */
const MARK = '__injectable__';

/** Makes a class injectable, unless it already is. */
export function injectableOnce(target: object): void {
  if (!Reflect.hasOwnMetadata(MARK, target)) Injectable()(target as never);
}

/** The first parameter is the input; the second, which is optional, is the context. */
type StepMethod = (input: never, step: StepContext) => unknown;

/**
 * Marks a method as the handler of a remote step: `ctx.remote(ItsClass).method(input)` in a workflow, or
 * `ctx.remote('name', input)` where the class cannot be imported. Tasks store the name: it must never change.
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid name or option.
 */
export function RemoteStep(name: string, options: RemoteStepOptions = {}) {
  checkName(name, 'The name of a remote step');
  checkStepOptions(options, `@RemoteStep('${name}')`);
  return <Method extends StepMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
    if (refusal)
      throw new ConfigurationError(`@RemoteStep('${name}') decorates ${refusal}: use it on an instance method`);
    // Stored by prototype and key, not on the function: this way it survives other decorators and overriding methods.
    Reflect.defineMetadata(REMOTE_STEP_METADATA, { ...options, name }, target, key);
  };
}

/**
 * Sets options for the `@RemoteStep` methods of a class, and makes it injectable. A class whose steps need no options
 * does not need this decorator.
 *
 * @example
 * \@Worker({ concurrency: 20 })
 * export class PaymentSteps {
 *   \@RemoteStep('payments.charge')
 *   async charge(order: Order, step: StepContext): Promise<Charge> { … }
 * }
 *
 * @throws InvalidArgumentError for an invalid option, when the class is loaded.
 */
export function Worker(options: WorkerOptions = {}): ClassDecorator {
  return (target) => {
    checkWorkerOptions(options, `@Worker on ${target.name}`);
    injectableOnce(target);
    Reflect.defineMetadata(WORKER_METADATA, options, target);
  };
}

/**
 * Marks a class as a workflow. Runs are stored under `name`, which must not change when the class is renamed. The
 * decorator makes the class injectable; it must be a singleton provider.
 *
 * @example
 * \@Workflow('checkout', { version: 2 })
 * export class CheckoutWorkflow implements WorkflowRunner<Order, Receipt> {
 *   async run(ctx: WorkflowContext, order: Order): Promise<Receipt> { … }
 * }
 *
 * @throws InvalidArgumentError for an invalid name or option, when the class is loaded.
 */
export function Workflow(name: string, options: WorkflowOptions = {}) {
  checkName(name, 'The name of a workflow');
  checkWorkflowOptions(options, `@Workflow('${name}')`);
  return (target: ClassOf<WorkflowRunner<never, unknown>>): void => {
    injectableOnce(target);
    Reflect.defineMetadata(WORKFLOW_METADATA, { ...options, name }, target);
  };
}
