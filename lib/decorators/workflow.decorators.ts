import { Injectable } from '@nestjs/common';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from './decorator-options.js';
import { REMOTE_STEP_METADATA, WORKER_METADATA, WORKFLOW_METADATA } from './declarations.js';
import { checkStepOptions, checkWorkerOptions, checkWorkflowOptions, methodRefusal } from './option-checks.js';
import { checkName } from '../engine/model/names.js';
import type { ClassOf, WorkflowRunner } from '../engine/model/workflow-context.js';
import { ConfigurationError } from '../errors.js';
import type { StepContext } from '../worker/handler-registry.js';

/** Nest's own mark. Our decorators stand above or below an `@Injectable({ scope })`, which must not lose its options. */
const MARK = '__injectable__';

/** Makes a class a provider by itself, unless it says so already. */
export function injectableOnce(target: object): void {
  if (!Reflect.hasOwnMetadata(MARK, target)) Injectable()(target as never);
}

/** The first parameter is the input; the second, which may be left out, is the context. */
type StepMethod = (input: never, step: StepContext) => unknown;

/**
 * Marks a method as the handler of a remote step: `ctx.remote(ItsClass).method(input)` in a workflow, or
 * `ctx.remote('name', input)` where the class is not at hand. The name is what travels; it must outlive renames.
 *
 * @throws ConfigurationError at once when it stands on anything but an instance method; InvalidArgumentError for a
 *   name or an option that cannot be used.
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
      throw new ConfigurationError(`@RemoteStep('${name}') stands on ${refusal}: put it on an instance method`);
    // By prototype and key, not on the function: that survives other decorators and overriding methods.
    Reflect.defineMetadata(REMOTE_STEP_METADATA, { ...options, name }, target, key);
  };
}

/**
 * Sets options for the `@RemoteStep` methods of a class, and makes it injectable. A class whose steps need none of them
 * may be any provider.
 *
 * @example
 * \@Worker({ concurrency: 20 })
 * export class PaymentSteps {
 *   \@RemoteStep('payments.charge')
 *   async charge(order: Order, step: StepContext): Promise<Charge> { … }
 * }
 *
 * @throws InvalidArgumentError at once for an option that cannot be used.
 */
export function Worker(options: WorkerOptions = {}): ClassDecorator {
  return (target) => {
    checkWorkerOptions(options, `@Worker on ${target.name}`);
    injectableOnce(target);
    Reflect.defineMetadata(WORKER_METADATA, options, target);
  };
}

/**
 * Marks a class as a workflow. Runs are stored under `name`, which must outlive renames of the class. The class is
 * injectable by this alone, and must be a singleton provider.
 *
 * @example
 * \@Workflow('checkout', { version: 2 })
 * export class CheckoutWorkflow implements WorkflowRunner<Order, Receipt> {
 *   async run(ctx: WorkflowContext, order: Order): Promise<Receipt> { … }
 * }
 *
 * @throws InvalidArgumentError at once for a name or an option that cannot be used.
 */
export function Workflow(name: string, options: WorkflowOptions = {}) {
  checkName(name, 'The name of a workflow');
  checkWorkflowOptions(options, `@Workflow('${name}')`);
  return (target: ClassOf<WorkflowRunner<never, unknown>>): void => {
    injectableOnce(target);
    Reflect.defineMetadata(WORKFLOW_METADATA, { ...options, name }, target);
  };
}
