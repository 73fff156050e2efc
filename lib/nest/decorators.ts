// For apps that load this file before NestJS.
import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import type { Lost } from '../core/codec.js';
import { ConfigurationError, InvalidArgumentError } from '../core/errors.js';
import { checkedOptions, defined, type KnownOptions } from '../core/options.js';
import type { StepContext } from '../core/protocol.js';
import { UnknownWorkflowError } from '../core/run-errors.js';
import { toMs } from '../core/time.js';
import type { AbandonedEffect, EffectContext } from '../effects/handlers.js';
import type { ClassOf, InputOf, WorkflowRunner } from '../engine/context.js';
import type { KeyedLimits } from '../engine/limits.js';
import { BLOCK_REASONS, type BlockReason, checkName, FINAL_STATUSES, type RunStatus } from '../engine/run.js';
import type { WorkflowTraits } from '../engine/workflow.js';
import type { OutboxEvent, RunWish } from '../outbox/events.js';
import type { EventPublisher } from '../outbox/publishers.js';
import {
  checkChannelPatterns,
  checkConsumerOptions,
  checkedOperations,
  checkEffectOptions,
  checkPublisherOptions,
  checkStepOptions,
  checkWorkerOptions,
  checkWorkflowOptions,
  type EffectOptions,
  methodRefusal,
  type OnOutboxMessageOptions,
  type OutboxPublisherOptions,
  type RemoteStepOptions,
  type WorkerOptions,
  type WorkflowOptions,
} from './decorator-options.js';

/** Nest's own metadata key. Options of an `@Injectable({ scope })` on the same class must survive. */
const MARK = '__injectable__';

/** Makes a class injectable, unless it already is. */
function injectableOnce(target: object): void {
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

/** A decorator of methods of this type. */
type Decorates<Decorated> = <Method extends Decorated>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/** Stores what is declared of a method, which must be an instance method. `twice`: why no other may be stored with it. */
const storing =
  (decorator: string, metadataKey: string, declared: object, twice: string): Decorates<(...args: never[]) => unknown> =>
  (target, key, descriptor) => {
    const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
    if (refusal) throw new ConfigurationError(`${decorator} decorates ${refusal}: use it on an instance method`);
    if (Reflect.hasOwnMetadata(metadataKey, target, key))
      throw new ConfigurationError(`${target.constructor.name}.${String(key)} has ${twice}`);
    Reflect.defineMetadata(metadataKey, declared, target, key);
  };

type AbandonmentMethod = (entry: AbandonedEffect) => unknown;

/**
 * Calls a method after a call of an operation was abandoned, for example to alert a person who then requeues it. It
 * runs once per abandonment, in the process that abandoned the call, after that is committed; not if the process dies
 * before. `Effects.listAbandoned` lists all abandoned calls. Errors of the method are logged and have no other effect.
 *
 * @example
 * \@OnAbandoned('erase')
 * async alert({ handler, subject, error }: AbandonedEffect): Promise<void> { … }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid operation name.
 */
export function OnAbandoned(operation: string | readonly string[]): Decorates<AbandonmentMethod> {
  return listening('@OnAbandoned', ON_ABANDONED_METADATA, operation);
}

/** The second parameter is the transaction handle of the app's ORM, the third the operation; both are optional. */
type CompletionMethod = (subject: string, tx: never, operation: string) => unknown;

/**
 * Calls a method when all calls of an operation for a subject have succeeded, inside the transaction that settles the
 * last call. What the method writes with `tx` commits exactly once with that transaction; so do `WorkflowClient.signal`
 * and `Effects.enqueue` with `{ transaction: tx }`. When the method throws, the transaction rolls back and the last
 * call is made again after its lease. The method is called again after further calls are enqueued for the subject.
 *
 * Keep the method short: the transaction, and the calls of the same subject, wait for it.
 *
 * The process that settles the last call runs the method: provide the class wherever a handler of the operation is.
 *
 * @example
 * \@OnOperationComplete('erase')
 * async erased(subject: string, tx: EntityManager): Promise<void> {
 *   await tx.delete(ErasureRequest, { subject });
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid operation name.
 */
export function OnOperationComplete(operation: string | readonly string[]): Decorates<CompletionMethod> {
  return listening('@OnOperationComplete', ON_OPERATION_COMPLETE_METADATA, operation);
}

/** Stores which operations a method listens to. @throws InvalidArgumentError */
function listening(decorator: string, metadataKey: string, operation: string | readonly string[]) {
  const operations = checkedOperations(operation, `The operation of ${decorator}`);
  const what = `${decorator}('${operations.join("', '")}')`;
  return storing(what, metadataKey, operations, `${decorator} twice: use it once, with a list of operations`);
}

/** The first parameter is the ref; the second, which is optional, is the context. */
type EffectMethod = (ref: never, context: EffectContext) => unknown;

/**
 * Marks a method as the handler of calls to the outside world; `Effects.enqueue` refers to it by `name`. Any process
 * with the handler calls it until it succeeds or the call is abandoned. It may run more than once, with the same
 * idempotency key. Return values are ignored, except `alreadyAbsent()` and `scheduleUntil(date)`. Throw
 * `NonRetryableEffectError` when another try would not help, and `RetryAfterError` to set the time of the next try,
 * which still counts as a try. After any other error the call is retried with backoff.
 *
 * @example
 * \@Effect('stripe', { attempts: 8, timeout: '20s' })
 * async deleteCustomer(id: string, { idempotencyKey, signal }: EffectContext) {
 *   const response = await this.stripe.delete(`/customers/${id}`, { idempotencyKey, signal });
 *   if (response.status === 404) return alreadyAbsent();
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid name or option.
 */
export function Effect(name: string, options: EffectOptions = {}): Decorates<EffectMethod> {
  checkName(name, 'The name of an effect');
  const what = `@Effect('${name}')`;
  checkEffectOptions(options, what);
  return storing(what, EFFECT_METADATA, { ...options, name }, '@Effect twice: give each effect its own method');
}

/** The second parameter, which is optional, is the transaction handle of the app's ORM. */
type MessageMethod = (event: OutboxEvent<never>, tx: never) => unknown;

/**
 * Calls a method with each event of a channel, or of all channels with a common prefix, in order. What it writes with
 * `tx` takes effect exactly once per event, because the consumer's position in the channel moves in the same
 * transaction. All other side effects may happen more than once.
 *
 * @example
 * \@OnOutboxMessage('posts:*', { consumer: 'post-counts' })
 * async count(event: OutboxEvent<Post>, tx: EntityManager): Promise<void> { … }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid channel or option.
 */
export function OnOutboxMessage(
  channels: string | readonly string[],
  options: OnOutboxMessageOptions = {},
): Decorates<MessageMethod> {
  const patterns = [channels].flat();
  checkChannelPatterns(patterns, 'The channel of @OnOutboxMessage');
  const what = `@OnOutboxMessage('${patterns.join("', '")}')`;
  checkConsumerOptions(options, what);
  const twice = '@OnOutboxMessage twice: use it once, with a list of channels';
  return storing(what, ON_OUTBOX_MESSAGE_METADATA, { ...options, patterns }, twice);
}

type PublisherClass = abstract new (...args: never[]) => EventPublisher;

/**
 * Marks a class as a destination of the outbox: its `publish` receives every event, those of one channel in the order
 * in which their transactions committed. The decorator makes the class injectable; it must be a singleton.
 *
 * @example
 * \@OutboxPublisher({ name: 'search-index', batchSize: 20 })
 * export class SearchIndex implements EventPublisher {
 *   async publish(events: OutboxEvent[], { signal, idempotencyKey }: DeliveryContext): Promise<void> { … }
 * }
 *
 * @throws InvalidArgumentError for an invalid option, when the class is loaded.
 */
export function OutboxPublisher(options: OutboxPublisherOptions = {}) {
  return (target: PublisherClass): void => {
    const { name = target.name } = options;
    checkPublisherOptions({ ...options, name }, `@OutboxPublisher on ${target.name}`);
    injectableOnce(target);
    const declared: DeclaredPublisher = { ...options, name, isUnnamed: options.name === undefined };
    Reflect.defineMetadata(OUTBOX_PUBLISHER_METADATA, declared, target);
  };
}

type OneOrMore<T> = T | readonly T[];

interface RunHookOptions {
  /** Only runs of these workflows: names, or classes with `@Workflow`. Default: of all workflows. */
  workflow?: OneOrMore<string | ClassOf<unknown>>;
  /**
   * The name under which its progress is stored; changing it makes it another hook. Default: `Class.method`. 1 to 127
   * characters.
   */
  name?: string;
}

const RUN_HOOK_OPTIONS = { workflow: true, name: true } satisfies KnownOptions<RunHookOptions>;

export interface OnRunEndedOptions extends RunHookOptions {
  /** Only runs that ended with these statuses. Default: all final statuses. */
  status?: OneOrMore<RunStatus>;
}

const ENDED_OPTIONS = { ...RUN_HOOK_OPTIONS, status: true } satisfies KnownOptions<OnRunEndedOptions>;

export interface OnRunBlockedOptions extends RunHookOptions {
  /** Only runs that are blocked for these reasons. Default: all reasons. */
  reason?: OneOrMore<BlockReason>;
}

const BLOCKED_OPTIONS = { ...RUN_HOOK_OPTIONS, reason: true } satisfies KnownOptions<OnRunBlockedOptions>;

/** What an `@OnRunEnded` method gets. Its output or error: `WorkflowClient.getStatus(workflowId)`. */
export interface EndedRun {
  readonly workflowId: string;
  readonly workflow: string;
  readonly status: RunStatus;
}

/** What an `@OnRunBlocked` method gets. What to do about it: `WorkflowClient.explain(workflowId)`. */
export interface BlockedRun {
  readonly workflowId: string;
  readonly workflow: string;
  readonly reason: BlockReason;
}

/**
 * Calls a method for every run that has ended, whatever ended it. The call is a row that commits with the end of the
 * run, so it is not lost. The method runs in a transaction of the app: what it writes with `tx` takes effect exactly
 * once; everything else may happen again. It is retried like an `@OnOutboxMessage` method, and holds up nobody else.
 *
 * @example
 * \@OnRunEnded({ workflow: CheckoutWorkflow, status: 'failed' })
 * async failed({ workflowId }: EndedRun, tx: EntityManager): Promise<void> {
 *   await tx.insert(Ticket, { workflowId });
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid option.
 */
export function OnRunEnded(options: OnRunEndedOptions = {}) {
  checkedOptions(options, ENDED_OPTIONS, '@OnRunEnded');
  return hook<EndedRun>('OnRunEnded', 'ended', options, statesIn('status', options.status, FINAL_STATUSES));
}

/**
 * Calls a method for every run that is blocked. Works like {@link OnRunEnded}. A run that a starting process tries, and
 * that is blocked again without any progress, is not told again.
 *
 * @example
 * \@OnRunBlocked()
 * async blocked({ workflowId, reason }: BlockedRun): Promise<void> {
 *   await this.pager.alert(`${workflowId}: ${reason}`);
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid option.
 */
export function OnRunBlocked(options: OnRunBlockedOptions = {}) {
  checkedOptions(options, BLOCKED_OPTIONS, '@OnRunBlocked');
  return hook<BlockedRun>('OnRunBlocked', 'blocked', options, statesIn('reason', options.reason, BLOCK_REASONS));
}

/** The second parameter, which is optional, is the transaction handle of the app's ORM. */
type HookMethod<Told> = (run: Told, tx: never) => unknown;

function hook<Told>(
  decorator: string,
  on: RunWish['on'],
  options: RunHookOptions,
  states?: readonly string[],
): Decorates<HookMethod<Told>> {
  const { name, workflow } = options;
  if (name !== undefined && checkName(name, `The name of @${decorator}`).length > 127)
    throw new InvalidArgumentError(`The name of @${decorator}`, name, 'at most 127 characters');
  const workflows = workflow === undefined ? undefined : listOf(workflow).map(nameOf);
  const wish = { on, ...(workflows && { workflows }), ...(states && { states }) };
  const twice = 'two of @OnRunEnded and @OnRunBlocked: give each its own method';
  return storing(`@${decorator}`, ON_RUN_METADATA, { wishes: [wish], ...(name && { name }) }, twice);
}

function statesIn<S extends string>(option: string, given: OneOrMore<S> | undefined, among: readonly S[]) {
  if (given === undefined) return undefined;
  const wrong = listOf(given).find((one) => !among.includes(one));
  if (wrong !== undefined || listOf(given).length === 0)
    throw new InvalidArgumentError(option, wrong ?? given, `of ${among.join(', ')}`);
  return listOf(given);
}

const listOf = <T>(given: OneOrMore<T>): readonly T[] => (Array.isArray(given) ? (given as T[]) : [given as T]);

function nameOf(workflow: string | ClassOf<unknown>): string {
  if (typeof workflow === 'string') return checkName(workflow, 'workflow');
  const declared = typeof workflow === 'function' ? workflowOf(workflow) : undefined;
  if (!declared) throw new UnknownWorkflowError((workflow as { name?: string } | undefined)?.name ?? String(workflow));
  return declared.name;
}

/** Metadata keys: strings, so that every copy of this package uses the same ones. */
const WORKFLOW_METADATA = 'durable:workflow';
const WORKER_METADATA = 'durable:worker';
const REMOTE_STEP_METADATA = 'durable:remote-step';
const OUTBOX_PUBLISHER_METADATA = 'durable:outbox-publisher';
const ON_OUTBOX_MESSAGE_METADATA = 'durable:on-outbox-message';
const ON_RUN_METADATA = 'durable:on-run';
const EFFECT_METADATA = 'durable:effect';
const ON_OPERATION_COMPLETE_METADATA = 'durable:on-operation-complete';
const ON_ABANDONED_METADATA = 'durable:on-abandoned';

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

export type DeclaredPublisher = OutboxPublisherOptions & { name: string; isUnnamed: boolean };
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
  return {
    ...defined({ retry, onExhausted, keepInputs, limits: limitsOf(options) }),
    ...(timeout !== undefined && { timeoutMs: toMs(timeout) }),
    ...(schedules && { schedules }),
    ...(input && { input }),
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
