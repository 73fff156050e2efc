import { Injectable } from '@nestjs/common';
import type { RemoteStepOptions, WorkerOptions, WorkflowOptions } from './decorator-options.js';
import { REMOTE_STEP_METADATA, WORKER_METADATA, WORKFLOW_METADATA } from './declarations.js';
import { checkStepOptions, checkWorkerOptions, checkWorkflowOptions, methodRefusal } from './option-checks.js';
import { checkName } from '../engine/model/names.js';
import type { ClassOf, WorkflowRunner } from '../engine/model/workflow-context.js';
import type { InputOf } from '../engine/model/workflow-target.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import type { StepContext } from '../protocol/step-context.js';
import type { Lost } from '../protocol/stored.js';

/** Nest's own metadata key. Options of an `@Injectable({ scope })` on the same class must survive. */
const MARK = '__injectable__';

/** Makes a class injectable, unless it already is. */
export function injectableOnce(target: object): void {
  if (!Reflect.hasOwnMetadata(MARK, target)) Injectable()(target as never);
}

/** The first parameter is the input; the second, which is optional, is the context. */
type StepMethod = (input: never, step: StepContext) => unknown;

/**
 * Refuses, by its only property, a schema that does not fit: what it returns must be what is taken, and it must accept
 * that, since callers are typed by it. `unknown` stands for no schema.
 */
type Fits<Taken, In, Returned> = unknown extends Returned
  ? unknown
  : [Returned] extends [Taken]
    ? [Taken] extends [In]
      ? unknown
      : { readonly 'The schema must accept what it returns, because callers are typed by that': Returned }
    : { readonly 'The schema must return what is declared': Taken };

/** What is left of an input if a pipe makes `Made` of it. */
type Unmade<Input, Made> = [Input] extends [Made] ? unknown : Input;

/** Refuses, by its only property, what expects an input that cannot arrive as it is declared. */
type Arrives<Input> = [Lost<Input>] extends [never]
  ? unknown
  : { readonly 'Declare the input as plain data: it is stored, so these members do not arrive': Lost<Input> };

/**
 * Marks a method as the handler of a remote step: `ctx.remote(ItsClass).method(input)` in a workflow, or
 * `ctx.remote('name', input)` where the class cannot be imported. Tasks store the name: it must never change. The input
 * arrives as plain data, so a class with methods is refused by the compiler, unless `Made` says that a pipe makes it.
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid name or option.
 */
export function RemoteStep<Made = never, In = unknown, Input = unknown, Out = unknown, Output = unknown>(
  name: string,
  options: RemoteStepOptions<In, Input, Out, Output> = {},
) {
  checkName(name, 'The name of a remote step');
  checkStepOptions(options, `@RemoteStep('${name}')`);
  return <Method extends StepMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method> &
      Arrives<Unmade<Parameters<Method>[0], Made>> &
      Fits<Parameters<Method>[0], NoInfer<In>, NoInfer<Input>> &
      Fits<Awaited<ReturnType<Method>>, NoInfer<Out>, NoInfer<Output>>,
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
export function Workflow<In = unknown, Input = unknown>(name: string, options: WorkflowOptions<In, Input> = {}) {
  checkName(name, 'The name of a workflow');
  checkWorkflowOptions(options, `@Workflow('${name}')`);
  return <W extends ClassOf<WorkflowRunner<never, unknown>>>(
    target: W & Arrives<InputOf<InstanceType<W>>> & Fits<InputOf<InstanceType<W>>, NoInfer<In>, NoInfer<Input>>,
  ): void => {
    injectableOnce(target);
    Reflect.defineMetadata(WORKFLOW_METADATA, { ...options, name }, target);
  };
}
