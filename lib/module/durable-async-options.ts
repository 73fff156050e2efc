import type { FactoryProvider, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { ConnectionOptions, DurableModuleOptions } from './durable-options.interface.js';
import { DURABLE_OPTIONS } from './durable.tokens.js';
import { ConfigurationError } from '../errors.js';

/** The type of the class for `useClass` and `useExisting`. */
export interface DurableOptionsFactory {
  createDurableOptions(): DurableModuleOptions | Promise<DurableModuleOptions>;
}

/** Set exactly one of `useFactory`, `useClass` and `useExisting`. */
export interface DurableModuleAsyncOptions extends ConnectionOptions, Pick<ModuleMetadata, 'imports'> {
  inject?: NonNullable<FactoryProvider['inject']>;
  // The factory declares the types of what is injected.
  useFactory?: (...injected: never[]) => DurableModuleOptions | Promise<DurableModuleOptions>;
  useClass?: Type<DurableOptionsFactory>;
  useExisting?: FactoryProvider['provide'];
}

/** @throws ConfigurationError unless there is exactly one source of options. */
export function optionsProviders(options: DurableModuleAsyncOptions): Provider[] {
  const { useFactory, useClass, useExisting, inject = [] } = options;
  if ([useFactory, useClass, useExisting].filter((source) => source !== undefined).length !== 1) {
    throw new ConfigurationError('forRootAsync() needs exactly one of useFactory, useClass and useExisting');
  }
  if (useFactory)
    return [{ provide: DURABLE_OPTIONS, inject, useFactory: useFactory as (...args: unknown[]) => unknown }];
  const source = useClass ?? useExisting!;
  return [
    ...(useClass ? [useClass] : []),
    {
      provide: DURABLE_OPTIONS,
      inject: [source],
      useFactory: (factory: DurableOptionsFactory) => factory.createDurableOptions(),
    },
  ];
}
