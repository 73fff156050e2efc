import { AsyncLocalStorage } from 'node:async_hooks';
import type { DurableModuleOptions } from './durable-options.interface.js';

type Change = (options: DurableModuleOptions) => DurableModuleOptions;

const making = new AsyncLocalStorage<Change>();

/** The module's options while an app is created: the given ones, unless a test replaces them. */
export const standInFor = (options: DurableModuleOptions): DurableModuleOptions =>
  making.getStore()?.(options) ?? options;

/** Replaces options of apps created by `make`; apps created elsewhere at the same time keep their own. */
export const withStandIn = <T>(change: Change, make: () => Promise<T>): Promise<T> => making.run(change, make);
