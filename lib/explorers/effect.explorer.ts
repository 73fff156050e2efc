import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import { abandonmentsOf, completionsOf, effectsOf } from '../decorators/declarations.js';
import { type EffectOptions, given, overridden } from '../decorators/decorator-options.js';
import { checkOverriddenNames } from '../decorators/override-checks.js';
import type { EffectHandler, EffectHandlers, EffectPolicy } from '../effects/effect-handlers.js';
import type { EffectListeners } from '../effects/effect-listeners.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import type { BackoffOptions } from '../time/backoff.js';
import { toMs } from '../time/duration.js';
import { decoratedProviders } from './decorated-providers.js';
import { enhanced } from './enhanced-methods.js';

const BACKOFF = { delay: '30s', factor: 2, maxDelay: '1h', jitter: 'none' } as const;

/** The policy of an effect with all defaults. */
function effectPolicy({ attempts, timeout, leaseDuration, backoff }: EffectOptions): EffectPolicy {
  return {
    attempts: attempts ?? 8,
    timeoutMs: toMs(timeout ?? '20s'),
    leaseMs: toMs(leaseDuration ?? '5m'),
    backoff: { ...BACKOFF, ...given(backoff), ...waitsOf(backoff) },
  };
}

/** With only one of `delay` and `maxDelay` given, the default of the other is adjusted, so that delay <= maxDelay. */
function waitsOf({ delay, maxDelay }: BackoffOptions = {}): Required<Pick<BackoffOptions, 'delay' | 'maxDelay'>> {
  const first = delay ?? (toMs(maxDelay ?? BACKOFF.delay) < toMs(BACKOFF.delay) ? maxDelay! : BACKOFF.delay);
  return { delay: first, maxDelay: maxDelay ?? (toMs(first) > toMs(BACKOFF.maxDelay) ? first : BACKOFF.maxDelay) };
}

interface FoundMethod<Declared> {
  type: object;
  location: string;
  declared: Declared;
  call: (...args: unknown[]) => unknown;
}

/** Finds every `@Effect`, `@OnOperationComplete` and `@OnAbandoned` method of every provider. */
@Injectable()
export class EffectExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator,
  ) {}

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
      if (other !== undefined) throw duplicate(name, other, location);
      locations.set(name, location);
      const policy = effectPolicy(overridden(options, overrides, name));
      handlers.register({ name, policy, call: (ref, context) => call(ref, context) } satisfies EffectHandler);
    }
    checkOverriddenNames(overrides, locations.keys(), 'effects.handlers');
  }

  private found<Declared>(
    methodsOf: (type: object) => Map<string, Declared>,
    decorator: string,
  ): FoundMethod<Declared>[] {
    const found: FoundMethod<Declared>[] = [];
    for (const { type, instance } of decoratedProviders(this.discovery, (type) => methodsOf(type).size > 0)) {
      for (const [method, declared] of methodsOf(type)) {
        const location = `${type.name}.${method}`;
        if (typeof instance[method] === 'function') {
          found.push({ type, location, declared, call: enhanced(this.contexts, { type, instance, method }) });
          continue;
        }
        // A test's replacement of the class need not be complete.
        if (instance instanceof type)
          throw new ConfigurationError(`${location} has ${decorator} but is not a method of its instance`);
      }
    }
    return found;
  }
}

const existsTwice = (location: string): string =>
  `${location} exists twice: provide its class in one module and export it from there`;

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

function duplicate(name: string, first: string, second: string): ConfigurationError {
  const advice = first === second ? existsTwice(first) : `it is declared by ${first} and by ${second}: rename one`;
  return new ConfigurationError(`Two handlers for the effect "${name}": ${advice}`);
}
