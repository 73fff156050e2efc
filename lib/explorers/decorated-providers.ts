import type { DiscoveryService } from '@nestjs/core';
import { ConfigurationError } from '../errors/setup-errors.js';

export type Class = abstract new (...args: never[]) => unknown;

export interface DecoratedProvider {
  /** The class that carries the decorators. */
  type: Class;
  instance: Record<string, unknown>;
}

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * The singletons of the container whose class `isDecorated`, or whose token is if a test has replaced the class. Each
 * instance is listed once, even with several tokens.
 *
 * @throws ConfigurationError for classes that are not singletons: they run outside of requests.
 */
export function decoratedProviders(
  discovery: DiscoveryService,
  isDecorated: (type: Class) => boolean,
): DecoratedProvider[] {
  const found = new Map<object, DecoratedProvider>();
  for (const provider of discovery.getProviders()) {
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
