import { AsyncLocalStorage } from 'node:async_hooks';
import type { DurableModuleOptions } from './durable-options.interface.js';

type Change = (options: DurableModuleOptions) => DurableModuleOptions;

const making = new AsyncLocalStorage<Change>();

/** A module's options while an app is made: those that it was given, unless a test puts others in their place. */
export const standInFor = (options: DurableModuleOptions): DurableModuleOptions =>
  making.getStore()?.(options) ?? options;

/** The apps that `make` makes have other options; those that others make meanwhile have their own. */
export const withStandIn = <T>(change: Change, make: () => Promise<T>): Promise<T> => making.run(change, make);
