import { type ArgumentsHost, HttpException, Inject, Injectable } from '@nestjs/common';
import { type ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { ConfigurationError, DurableError } from '../core/errors.js';
import { DurableLog } from './log.js';
import { DURABLE_SETTINGS, type DurableSettings } from './options.js';

/** A method of a provider that this library calls. */
export interface CalledMethod {
  /** The class that declares it. */
  type: object & { name?: string };
  instance: Record<string, unknown>;
  method: string;
}

type Call = (...args: unknown[]) => unknown;

/** What `ExecutionContext.getType()` returns in enhancers of methods that this library calls. */
export const CONTEXT_TYPE = 'durable';

/** Nest's own metadata keys of enhancers. */
const KEYS = {
  Guards: '__guards__',
  Interceptors: '__interceptors__',
  Pipes: '__pipes__',
  Filters: '__exceptionFilters__',
};
type Kind = keyof typeof KEYS;
const KINDS = Object.keys(KEYS) as Kind[];

/** Nest's key of parameter decorators, such as `@Body()`. */
const PARAMETERS = '__routeArguments__';

/** Describes the first parameter of our methods to Nest, as that of a body: pipes transform and validate it. */
const INPUT_METADATA = 'durable:input';
const INPUT = { '3:0': { index: 0, data: undefined, pipes: [] } };
const INPUT_FACTORY = { exchangeKeyForValue: (_type: number, _data: unknown, args: unknown[]) => args[0] };

const classOf = (instance: object): (object & { prototype: object }) | undefined =>
  (Object.getPrototypeOf(instance) as { constructor?: object & { prototype: object } } | null)?.constructor;

const hasOwn = ({ type, instance, method }: CalledMethod, kind: Kind): boolean => {
  const handler = instance[method] as object;
  const key = KEYS[kind];
  return [type, classOf(instance), handler].some((target) => target && Reflect.hasMetadata(key, target));
};

/** Nest offers no other way to read what is global. Undefined if a future version has it elsewhere. */
function configOf(contexts: ExternalContextCreator): ApplicationConfig | undefined {
  const guards = Reflect.get(contexts, 'guardsContextCreator') as object | undefined;
  return guards && (Reflect.get(guards, 'config') as ApplicationConfig | undefined);
}

const hasGlobal = (config: ApplicationConfig | undefined, kind: Kind): boolean =>
  config === undefined || config[`getGlobal${kind}`]().length > 0;

/** What Nest makes of the filters of a method. */
interface FilterChooser {
  /** Calls the filter for this error; null or undefined if there is none. */
  invokeCustomFilters(error: unknown, host: ArgumentsHost): unknown;
}

type FilterContexts = { create(...args: unknown[]): FilterChooser };

const CREATORS = ['guards', 'interceptors', 'pipes', 'filters'].map((kind) => `${kind}ContextCreator`);

/** The same creator of contexts, whose parts may be replaced; `withGlobal` false: it finds nothing that is global. */
function copied(contexts: ExternalContextCreator, withGlobal: boolean): ExternalContextCreator {
  const copy = Object.create(contexts) as ExternalContextCreator;
  const without = withGlobal ? {} : { config: { value: undefined } };
  for (const name of CREATORS)
    Object.defineProperty(copy, name, { value: Object.create(Reflect.get(contexts, name) as object, without) });
  return copy;
}

/**
 * Calls methods of the app as Nest does: through guards, interceptors, pipes and filters of the method and of its class.
 * Those of the app are made for requests, so they are called only with `enhancers: 'global'`.
 */
@Injectable()
export class EnhancedMethods {
  constructor(
    @Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator,
    @Inject(DURABLE_SETTINGS) private readonly settings: Pick<DurableSettings, 'enhancers'>,
    @Inject(DurableLog) private readonly log: DurableLog,
  ) {}

  /** The kinds of global enhancers of requests: they do not run where there is no request, though they are asked for. */
  get ofRequests(): string[] {
    const config = this.withGlobal ? configOf(this.contexts) : undefined;
    return config ? KINDS.filter((kind) => config[`getGlobalRequest${kind}`]().length > 0) : [];
  }

  /**
   * Returns a function that calls the method through its enhancers. Without any of them it calls the method directly.
   * They are collected at the first call, because an app adds global ones after its creation. The method is looked up at
   * each call, so that a spy that replaces it is called.
   *
   * @throws ConfigurationError for decorated parameters: nobody would give them their values.
   */
  callOf(called: CalledMethod): Call {
    const { instance, method, type } = called;
    const owner = classOf(instance);
    if (owner && Object.keys((Reflect.getMetadata(PARAMETERS, owner, method) as object | undefined) ?? {}).length > 0) {
      throw new ConfigurationError(
        `${type.name}.${method} has a decorated parameter, such as @Body(): only methods of requests get those. ` +
          'Use the parameters as they are passed',
      );
    }
    const direct: Call = (...args) => (instance[method] as Call)(...args);
    let call: Call | undefined;
    return (...args) => (call ??= this.throughEnhancers(called, direct) ?? direct)(...args);
  }

  private get withGlobal(): boolean {
    return this.settings.enhancers === 'global';
  }

  private throughEnhancers(called: CalledMethod, direct: Call): Call | undefined {
    const config = configOf(this.contexts);
    const [guards, interceptors, pipes, filters] = KINDS.map(
      (kind) => hasOwn(called, kind) || (this.withGlobal && hasGlobal(config, kind)),
    );
    if (!guards && !interceptors && !pipes && !filters) return undefined;
    const contexts = copied(this.contexts, this.withGlobal);
    this.takeOverFilters(contexts, `${String(called.type.name)}.${called.method}`);
    const piped = pipes ? pipesOf(contexts, called) : undefined;
    const callback = standingFor(called, async (input, ...more) => direct(piped ? await piped(input) : input, ...more));
    const options = { guards: guards!, interceptors: interceptors!, filters: filters! };
    // Under a name of its own, because Nest remembers the parameters of a method by its name.
    return created(contexts, called, `${called.method}()`, callback, options);
  }

  /** Nest chooses the filter. What its own handler would add is left out: it logs errors as they are, with their secrets. */
  private takeOverFilters(contexts: ExternalContextCreator, location: string): void {
    const filters = Reflect.get(contexts, 'filtersContextCreator') as FilterContexts;
    const create = filters.create.bind(filters);
    const next = (filter: FilterChooser) => (error: unknown, host: ArgumentsHost) =>
      this.answerOf(filter, error, host, location);
    Object.defineProperty(filters, 'create', { value: (...args: unknown[]) => ({ next: next(create(...args)) }) });
  }

  /**
   * What a filter makes of a failure. One that returns nothing has only looked at it. One that fails itself, for example
   * because it expects a request, does not decide whether the failure is final.
   */
  private async answerOf(filter: FilterChooser, error: unknown, host: ArgumentsHost, location: string) {
    let answer: unknown;
    try {
      answer = await filter.invokeCustomFilters(error, host);
      if (isObservable(answer)) answer = await lastValueFrom(answer, { defaultValue: undefined });
    } catch (thrown) {
      if (thrown === error || isMeant(thrown, error)) throw thrown;
      this.log.filterFailed(location, thrown);
    }
    if (answer === undefined || answer === null) throw error;
    return answer;
  }
}

/** Whether a filter has thrown this in place of the error that it was given. */
const isMeant = (thrown: unknown, error: unknown): boolean =>
  thrown instanceof DurableError || (thrown instanceof HttpException && thrown.cause === error);

function created(
  contexts: ExternalContextCreator,
  { instance }: CalledMethod,
  name: string,
  callback: Call,
  options: { guards: boolean; interceptors: boolean; filters: boolean },
): Call {
  return contexts.create(instance, callback, name, undefined, undefined, undefined, undefined, options, CONTEXT_TYPE);
}

/** Applies the pipes to the first parameter. */
function pipesOf(contexts: ExternalContextCreator, called: CalledMethod): (input: unknown) => Promise<unknown> {
  const { instance, method } = called;
  const owner = classOf(instance);
  if (owner && owner !== Object) Reflect.defineMetadata(INPUT_METADATA, INPUT, owner, method);
  const options = { guards: false, interceptors: false, filters: false };
  // In an array, so that Nest does not resolve the input itself.
  const callback = standingFor(called, (input) => [input]);
  const apply = contexts.create(
    instance,
    callback,
    method,
    INPUT_METADATA,
    INPUT_FACTORY,
    undefined,
    undefined,
    options,
    CONTEXT_TYPE,
  );
  return async (input) => ((await apply(input)) as unknown[])[0];
}

/** A function that Nest and reflectors take for the method: it inherits the metadata of the method. */
function standingFor({ instance, method }: CalledMethod, call: Call): Call {
  const original = instance[method] as Call;
  const own = (...args: unknown[]): unknown => call(...args);
  Object.defineProperty(own, 'name', { value: original.name });
  return Object.setPrototypeOf(own, original) as Call;
}

/** @throws ConfigurationError for a class, or a method of it, that has enhancers which would never be called. */
export function refuseEnhancers(called: CalledMethod, advice: string): void {
  const found = KINDS.filter((kind) => hasOwn(called, kind));
  if (found.length === 0) return;
  throw new ConfigurationError(
    `${called.type.name} has @Use${found[0]}, which is not called for ${called.method}: ${advice}`,
  );
}
