import type { DurableModuleOptions } from './durable-options.interface.js';

let standIn: ((options: DurableModuleOptions) => DurableModuleOptions) | undefined;

/** What a module's options are while an app is made: those that it was given, unless a test has put others in their place. */
export const standInFor = (options: DurableModuleOptions): DurableModuleOptions => standIn?.(options) ?? options;

/** Apps that are made meanwhile have other options. One at a time. */
export async function withStandIn<T>(other: NonNullable<typeof standIn>, make: () => Promise<T>): Promise<T> {
  standIn = other;
  try {
    return await make();
  } finally {
    standIn = undefined;
  }
}
