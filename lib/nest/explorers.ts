import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ConfigurationError, RefusedOutputError, ValidationError } from '../core/errors.js';
import { defined, type StandardSchema } from '../core/options.js';
import { groupOf, inPartition } from '../core/protocol.js';
import { RetryAfterError, UnknownStepError } from '../core/run-errors.js';
import { backoffOf, type BackoffOptions, toMs } from '../core/time.js';
import type { EffectHandler, EffectHandlers, EffectListeners, EffectPolicy } from '../effects/handlers.js';
import type { WorkflowRunner } from '../engine/context.js';
import { newestDeclarations } from '../engine/firing.js';
import { validated } from '../engine/payloads.js';
import { checkName } from '../engine/run.js';
import { type RemoteStepDefinition, type RemoteStepDirectory, WorkflowRegistry } from '../engine/workflow.js';
import { ConsumerDestination, type Destination, type EventHandler, type Inbox } from '../outbox/destinations.js';
import {
  type EventCodec,
  factOf,
  hooksFor,
  isWanted,
  type OutboxEvent,
  RUN_CHANNELS,
  type RunWish,
  wishesIn,
} from '../outbox/events.js';
import { type EventPublisher, PublisherDestination } from '../outbox/publishers.js';
import type { DestinationRoster } from '../outbox/shards.js';
import type { StepHandler } from '../worker/handlers.js';
import {
  checkOverriddenNames,
  type EffectOptions,
  type OutboxPublisherOptions,
  overridden,
  type RemoteStepOptions,
  type WorkerOptions,
  type WorkflowOptions,
} from './decorator-options.js';
import {
  abandonmentsOf,
  completionsOf,
  type DeclaredHook,
  type DeclaredPublisher,
  type DeclaredStep,
  type DeclaredWorkflow,
  effectsOf,
  isWorker,
  limitsOf,
  messageHandlersOf,
  publisherOf,
  remoteStepsOf,
  runHooksOf,
  traitsOf,
  workerOf,
  workflowOf,
} from './decorators.js';
import { EnhancedMethods, refuseEnhancers } from './enhanced-methods.js';

/** Configuration that overrides decorators. */
export interface RemoteStepOverrides {
  /** By class name. */
  workers: Readonly<Record<string, WorkerOptions>>;
  /** By step name. */
  steps: Readonly<Record<string, RemoteStepOptions>>;
}

/** A remote step with the options of its decorators and of the configuration. */
interface EffectiveStep extends RemoteStepDefinition {
  method: string;
  options: DeclaredStep;
  worker: WorkerOptions;
}

/**
 * The remote steps of classes, both providers of this process and classes imported only for their types. What this process
 * serves is as the class says that serves it: the class that it extends, or one without a group, may be called.
 */
export class DeclaredRemoteSteps implements RemoteStepDirectory {
  private byClass = new WeakMap<object, ReadonlyMap<string, EffectiveStep>>();
  private readonly byName = new Map<string, EffectiveStep & { type: object }>();

  constructor(private readonly overrides: RemoteStepOverrides) {}

  ofClass(worker: object & { name?: string }): ReadonlyMap<string, EffectiveStep> {
    const known = this.byClass.get(worker) ?? this.read(worker);
    this.byClass.set(worker, known);
    if (known.size === 0) throw new UnknownStepError(worker.name ?? 'a class without a name');
    return known;
  }

  /** The configuration may have options for a step that no class here declares. */
  ofName(name: string): RemoteStepDefinition | undefined {
    const known = this.byName.get(name);
    if (known || !Object.hasOwn(this.overrides.steps, name)) return known;
    const options = this.overrides.steps[name]!;
    return { name, group: groupOf(name), ...playedBy(options, {}), ...limitedBy(options) };
  }

  /** This process serves it by that class. */
  register(step: EffectiveStep, type: object): void {
    this.byName.set(step.name, { ...step, type });
    this.byClass = new WeakMap();
  }

  private read(target: object & { name?: string }): Map<string, EffectiveStep> {
    const worker = overridden(workerOf(target), this.overrides.workers, target.name ?? '');
    const steps = new Map<string, EffectiveStep>();
    for (const [method, declared] of remoteStepsOf(target)) {
      const options = overridden(declared, this.overrides.steps, declared.name);
      const { name } = declared;
      const served = this.byName.get(name);
      if (served && isMeant(served.type, target, worker)) {
        steps.set(method, { ...served, method });
        continue;
      }
      const group = inPartition(worker.group ?? groupOf(name), worker.partition);
      steps.set(method, {
        name,
        group,
        method,
        options,
        worker,
        ...playedBy(options, worker),
        ...limitedBy(options),
      });
    }
    return steps;
  }
}

/** Whether a step of the called class is the one that `type` serves. A class with a group of its own means that group. */
const isMeant = (type: object, called: object, { group, partition }: WorkerOptions): boolean =>
  type === called ||
  (group === undefined && partition === undefined) ||
  Object.prototype.isPrototypeOf.call(called, type);

/** The options of a step about its attempts and its record; those of its class apply where it sets none. */
function playedBy(
  step: RemoteStepOptions,
  worker: WorkerOptions,
): Pick<RemoteStepDefinition, 'retry' | 'onExhausted' | 'keepInputs'> {
  return defined({
    retry: step.retry ?? worker.retry,
    onExhausted: step.onExhausted ?? worker.onExhausted,
    keepInputs: step.keepInputs ?? worker.keepInputs,
  });
}

function limitedBy(options: RemoteStepOptions): Pick<RemoteStepDefinition, 'limits'> {
  const limits = limitsOf(options);
  return limits ? { limits } : {};
}

/** Configuration that overrides `@Workflow`, by workflow name. */
export type WorkflowOverrides = Readonly<Record<string, Omit<WorkflowOptions, 'version' | 'input'>>>;

/** Registers every provider with `@Workflow`. */
@Injectable()
export class WorkflowExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(WorkflowRegistry) private readonly registry: WorkflowRegistry,
  ) {}

  /** @throws ConfigurationError */
  explore(overrides: WorkflowOverrides): void {
    for (const { type, instance } of decoratedProviders(this.discovery, (type) => workflowOf(type) !== undefined)) {
      const declared = workflowOf(type) as DeclaredWorkflow;
      const { name, version = 1 } = declared;
      if (typeof instance['run'] !== 'function') {
        throw new ConfigurationError(`${type.name} has @Workflow('${name}') but no method run(ctx, input)`);
      }
      refuseEnhancers({ type, instance, method: 'run' }, 'a run is replayed. Use them on @RemoteStep methods');
      const runner = instance as unknown as WorkflowRunner;
      this.registry.register({ ...traitsOf(overridden(declared, overrides, name)), name, version, runner });
    }
    const names = this.registry.all().map(({ name }) => name);
    checkOverriddenNames(overrides, names, 'workflows');
    newestDeclarations(this.registry);
  }
}

/** A remote step that a provider of this process can run. */
export interface ServedStep {
  step: EffectiveStep;
  /** The class that declares it. */
  type: Class;
  run: StepHandler;
}

/** Finds every `@RemoteStep` method of every provider. */
@Injectable()
export class RemoteStepExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(DeclaredRemoteSteps) private readonly declared: DeclaredRemoteSteps,
    @Inject(EnhancedMethods) private readonly enhanced: EnhancedMethods,
  ) {}

  /** @throws ConfigurationError */
  explore(): ServedStep[] {
    const served = new Map<string, ServedStep>();
    for (const { type, instance } of decoratedProviders(this.discovery, isWorker)) {
      if (remoteStepsOf(type).size === 0) throw withoutSteps(type);
      for (const step of this.declared.ofClass(type).values()) {
        const location = `${type.name}.${step.method}`;
        const other = served.get(step.name);
        if (other) throw duplicateStep(step.name, `${other.type.name}.${other.step.method}`, location);
        if (typeof instance[step.method] !== 'function') {
          // A test's replacement of the class need not be complete.
          if (!(instance instanceof type)) continue;
          throw new ConfigurationError(
            `${location} has @RemoteStep('${step.name}') but is not a method of its instance`,
          );
        }
        const run = validatedStep(step, this.enhanced.callOf({ type, instance, method: step.method }));
        served.set(step.name, { step, type, run });
        this.declared.register(step, type);
      }
    }
    return [...served.values()];
  }
}

function withoutSteps({ name }: Class): ConfigurationError {
  return new ConfigurationError(
    `${name} has @Worker but no method with @RemoteStep: a call of its methods through ctx.remote would be refused. ` +
      `Decorate them with @RemoteStep('name'), or remove @Worker`,
  );
}

const duplicateStep = (name: string, first: string, second: string): ConfigurationError =>
  new ConfigurationError(`Two handlers for the remote step "${name}": ${declaredTwice(first, second)}`);

const declaredTwice = (first: string, second: string): string =>
  first === second ? existsTwice(first) : `it is declared by ${first} and by ${second}: rename one`;

function existsTwice(location: string): string {
  const unless = isOfRenamed(location) ? '. If a bundler has called two classes the same, give each its name' : '';
  return `${location} exists twice: provide its class in one module and export it from there${unless}`;
}

/** Whether its class seems to have its name from a bundler: one of few letters, with a number at its end, or none. */
export const isOfRenamed = (location: string): boolean => /^([^.]{0,2}|[^\p{Lu}.]..|[^.]*\$\d+)(\.|$)/u.test(location);

const BACKOFF = { delay: '30s', factor: 2, maxDelay: '1h', jitter: 'none' } as const;

/** The policy of an effect with all defaults. */
function effectPolicy({ attempts, timeout, leaseDuration, backoff }: EffectOptions): EffectPolicy {
  return {
    attempts: attempts ?? 8,
    timeoutMs: toMs(timeout ?? '20s'),
    leaseMs: toMs(leaseDuration ?? '5m'),
    backoff: { ...BACKOFF, ...defined(backoffOf(backoff)), ...waitsOf(backoffOf(backoff)) },
  };
}

/** With only one of `delay` and `maxDelay` given, the default of the other is adjusted, so that delay <= maxDelay. */
function waitsOf({ delay, maxDelay }: BackoffOptions): Required<Pick<BackoffOptions, 'delay' | 'maxDelay'>> {
  const first = delay ?? (toMs(maxDelay ?? BACKOFF.delay) < toMs(BACKOFF.delay) ? maxDelay! : BACKOFF.delay);
  return { delay: first, maxDelay: maxDelay ?? (toMs(first) > toMs(BACKOFF.maxDelay) ? first : BACKOFF.maxDelay) };
}

interface FoundMethod<Declared> {
  type: Class;
  location: string;
  declared: Declared;
  call: (...args: unknown[]) => unknown;
}

/** Finds the decorated methods of all providers. */
@Injectable()
class MethodExplorer {
  constructor(
    @Inject(DiscoveryService) protected readonly discovery: DiscoveryService,
    @Inject(EnhancedMethods) protected readonly enhanced: EnhancedMethods,
  ) {}

  /** @throws ConfigurationError for what is not a method of its instance. */
  protected found<Declared>(
    methodsOf: (type: object) => ReadonlyMap<string, Declared>,
    decorator: string,
  ): FoundMethod<Declared>[] {
    const found: FoundMethod<Declared>[] = [];
    for (const { type, instance } of decoratedProviders(this.discovery, (type) => methodsOf(type).size > 0)) {
      for (const [method, declared] of methodsOf(type)) {
        const location = `${type.name}.${method}`;
        if (typeof instance[method] === 'function')
          found.push({ type, location, declared, call: this.enhanced.callOf({ type, instance, method }) });
        // A test's replacement of the class need not be complete.
        else if (instance instanceof type)
          throw new ConfigurationError(`${location} has ${decorator} but is not a method of its instance`);
      }
    }
    return found;
  }
}

/** Finds every `@Effect`, `@OnOperationComplete` and `@OnAbandoned` method of every provider. */
@Injectable()
export class EffectExplorer extends MethodExplorer {
  /**
   * Registers all of them. The keys of `overrides` are effect names.
   *
   * @throws ConfigurationError when two methods handle one effect, a listener exists twice, or a declaration is not a
   *   method of its instance.
   */
  explore(handlers: EffectHandlers, listeners: EffectListeners, overrides: Record<string, EffectOptions> = {}): void {
    this.registerHandlers(handlers, overrides);
    for (const { declared, call } of once(this.found(completionsOf, '@OnOperationComplete')))
      for (const operation of declared)
        listeners.onComplete({ operation, onComplete: (subject, tx, of) => call(subject, tx, of) });
    for (const { declared, call } of once(this.found(abandonmentsOf, '@OnAbandoned')))
      for (const operation of declared) listeners.onAbandoned({ operation, onAbandoned: (entry) => call(entry) });
  }

  private registerHandlers(handlers: EffectHandlers, overrides: Record<string, EffectOptions>): void {
    const locations = new Map<string, string>();
    for (const { location, declared, call } of this.found(effectsOf, '@Effect')) {
      const { name, ...options } = declared;
      const other = locations.get(name);
      if (other !== undefined) throw duplicateEffect(name, other, location);
      locations.set(name, location);
      const policy = effectPolicy(overridden(options, overrides, name));
      handlers.register({ name, policy, call: (ref, context) => call(ref, context) } satisfies EffectHandler);
    }
    checkOverriddenNames(overrides, locations.keys(), 'effects.handlers');
  }
}

/** Checks that no class has two instances: each would be called for every event. @throws ConfigurationError */
function once<Declared>(found: readonly FoundMethod<Declared>[]): readonly FoundMethod<Declared>[] {
  const types = new Map<object, Set<string>>();
  for (const { type, location } of found) {
    const locations = types.get(type) ?? new Set();
    if (locations.has(location)) throw new ConfigurationError(existsTwice(location));
    types.set(type, locations.add(location));
  }
  return found;
}

const duplicateEffect = (name: string, first: string, second: string): ConfigurationError =>
  new ConfigurationError(`Two handlers for the effect "${name}": ${declaredTwice(first, second)}`);

const DEFAULT_BATCH = 50;

type Overrides = Record<string, Omit<OutboxPublisherOptions, 'name'>>;

export interface FoundDestination {
  destination: Destination;
  /** Where it is declared, for error messages. */
  location: string;
  /** Its name is that of its class, since no other was given. */
  isUnnamed: boolean;
}

/** Finds every `@OutboxPublisher` and every `@OnOutboxMessage` method of every provider. */
@Injectable()
export class OutboxDestinationExplorer extends MethodExplorer {
  /**
   * A destination for each publisher and consumer; `inbox` stores consumers' positions. `overrides` are by name; `codec` opens
   * events for consumers.
   *
   * @throws ConfigurationError when two have the same name, or a declaration does not match its instance.
   */
  explore(inbox: Inbox, overrides: Overrides = {}, codec?: EventCodec): FoundDestination[] {
    const found = new Map<string, FoundDestination>();
    for (const next of [...this.publishers(overrides), ...this.consumers(inbox, overrides, codec)]) {
      const { name } = next.destination;
      const other = found.get(name);
      if (other) throw duplicateDestination(name, other.location, next.location);
      found.set(name, next);
    }
    checkOverriddenNames(overrides, found.keys(), 'outbox.destinations');
    return [...found.values()];
  }

  private publishers(overrides: Overrides): FoundDestination[] {
    return decoratedProviders(this.discovery, (type) => publisherOf(type) !== undefined).map(({ type, instance }) => {
      const { isUnnamed, ...declared } = publisherOf(type) as DeclaredPublisher;
      const { name, batchSize = DEFAULT_BATCH, ...poison } = overridden(declared, overrides, declared.name);
      if (typeof instance['publish'] !== 'function') {
        throw new ConfigurationError(`${type.name} has @OutboxPublisher but no method publish(events, context)`);
      }
      const publish = this.enhanced.callOf({ type, instance, method: 'publish' });
      const publisher = { publish } as EventPublisher;
      const destination = new PublisherDestination(publisher, name, batchSize, poison);
      return { destination, location: type.name, isUnnamed };
    });
  }

  /** Methods with the same consumer name form one destination, regardless of their classes. */
  private consumers(inbox: Inbox, overrides: Overrides, codec: EventCodec | undefined): FoundDestination[] {
    const consumers = new Map<string, Map<string, EventHandler>>();
    const unnamed = new Set<string>();
    for (const { location, declared, call } of this.found(messageHandlersOf, '@OnOutboxMessage')) {
      const { consumer, patterns } = declared;
      const name = consumer ?? checkName(location, `The consumer of ${location}`);
      if (consumer === undefined) unnamed.add(name);
      const handlers = consumers.get(name) ?? new Map<string, EventHandler>();
      if (handlers.has(location)) throw duplicateDestination(name, location, location);
      consumers.set(name, handlers.set(location, { patterns, run: call }));
    }
    return [...consumers].map(([name, handlers]) => ({
      destination: new ConsumerDestination(
        inbox,
        name,
        [...handlers.values()],
        overridden({}, overrides, name),
        undefined,
        codec,
      ),
      location: [...handlers.keys()].join(', '),
      isUnnamed: unnamed.has(name),
    }));
  }
}

const duplicateDestination = (name: string, first: string, second: string): ConfigurationError =>
  new ConfigurationError(`Two destinations of the outbox are called "${name}": ${declaredTwice(first, second)}`);

export interface FoundHook {
  /** Where it is declared, for error messages. */
  location: string;
  declared: DeclaredHook;
  call: (...args: unknown[]) => unknown;
}

/** Finds every `@OnRunEnded` and `@OnRunBlocked` method of every provider. */
@Injectable()
export class RunHookExplorer extends MethodExplorer {
  /** @throws ConfigurationError when two have the same name, or a declaration is not a method of its instance. */
  explore(): FoundHook[] {
    const found = new Map<string, FoundHook>();
    for (const { location, declared, call } of this.found(runHooksOf, '@OnRunEnded or @OnRunBlocked')) {
      const { name = location } = declared;
      const other = found.get(name);
      if (other) throw new ConfigurationError(`Two hooks "${name}": ${declaredTwice(other.location, location)}`);
      found.set(name, { location, declared, call });
    }
    return [...found.values()];
  }
}

/** How soon a call that another version of a hook wants is offered again: versions change with deploys only. */
const LEFT_MS = 5_000;

interface HookPorts {
  inbox: Inbox;
  relay: { destinations: Pick<DestinationRoster, 'wants'> };
}

/** The destination of a hook: a consumer that gets events of runs only. */
export function destinationOf(
  { location, declared, call }: FoundHook,
  { inbox, relay }: HookPorts,
  namespace: string,
): Destination {
  const { name = location } = declared;
  // Every namespace has its own positions: its processes know nothing of hooks of others.
  const full = namespace === 'default' ? name : `${namespace}/${name}`;
  const wishes = declared.wishes.map((wish): RunWish => ({ ...wish, namespace }));
  const handler = {
    patterns: [`${RUN_CHANNELS}*`],
    wants: async (event: OutboxEvent) => {
      const fact = factOf(event);
      if (isWanted(fact, wishes) || !fact.hooks.includes(full)) return isWanted(fact, wishes);
      // Another version of the hook has wanted it. While that is there, the call waits for one of its processes.
      const elsewhere = hooksFor(fact, wishesIn(await relay.destinations.wants()));
      if (elsewhere.includes(full))
        throw new RetryAfterError(LEFT_MS, 'Another version of this hook wants it: left to a process that has it');
      return false;
    },
    run: (event: OutboxEvent, handle: unknown) => call(toldOf(event), handle),
  };
  return new ConsumerDestination(inbox, full, [handler], {}, JSON.stringify(wishes));
}

function toldOf(event: OutboxEvent): object {
  const { on, runId: workflowId, workflow, state } = factOf(event);
  return on === 'ended' ? { workflowId, workflow, status: state } : { workflowId, workflow, reason: state };
}

type Class = abstract new (...args: never[]) => unknown;

export interface DecoratedProvider {
  /** The class that carries the decorators. */
  type: Class;
  instance: Record<string, unknown>;
}

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * The singletons of the container, controllers too, whose class `isDecorated`, or whose token is if a test has replaced
 * the class. Each instance is listed once, even with several tokens.
 *
 * @throws ConfigurationError for classes that are not singletons: they run outside of requests.
 */
function decoratedProviders(discovery: DiscoveryService, isDecorated: (type: Class) => boolean): DecoratedProvider[] {
  const found = new Map<object, DecoratedProvider>();
  for (const provider of [...discovery.getProviders(), ...discovery.getControllers()]) {
    const { metatype } = provider;
    if (isClass(metatype) && isDecorated(metatype)) checkSingleton(provider, metatype);
    const { instance } = provider as { instance: unknown };
    if (typeof instance !== 'object' || instance === null || found.has(instance)) continue;
    const type = [classOf(instance), provider.token].filter(isClass).find(isDecorated);
    if (type) found.set(instance, { type, instance: instance as Record<string, unknown> });
  }
  return [...found.values()];
}

const isClass = (value: unknown): value is Class =>
  typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;

const classOf = (instance: object): unknown =>
  (Object.getPrototypeOf(instance) as { constructor?: unknown } | null)?.constructor;

function checkSingleton(provider: Provider, { name }: Class): void {
  if (provider.isTransient) {
    throw new ConfigurationError(`${name} is transient: make it a singleton, so that there is one instance to call`);
  }
  if (provider.getEnhancersMetadata()?.some(({ isTransient }) => isTransient)) {
    throw new ConfigurationError(`${name} has a transient guard, interceptor, pipe or filter: make that a singleton`);
  }
  if (provider.isDependencyTreeStatic()) return;
  throw new ConfigurationError(
    `${name} is request-scoped, or injects or uses something that is: make it a singleton, because it runs without a request. ` +
      'Pass what it needs from a request in its input',
  );
}

/** The handler of a step between the schemas of its input and of its output, where it has them. */
function validatedStep({ name, options: { input, output } }: EffectiveStep, run: StepHandler): StepHandler {
  if (!input && !output) return run;
  return async (given, step) => {
    const accepted = input ? validated(input, given, `The input of step "${name}"`) : given;
    const returned = await run(accepted, step);
    return output ? validatedOutput(output, returned, `The output of step "${name}"`) : returned;
  };
}

/** @throws RefusedOutputError, AsyncSchemaError */
function validatedOutput(schema: StandardSchema, returned: unknown, what: string): unknown {
  try {
    return validated(schema, returned, what);
  } catch (error) {
    throw error instanceof ValidationError ? new RefusedOutputError(what, error.issues, returned) : error;
  }
}
