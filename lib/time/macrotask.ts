/** Resolves once all microtasks queued until now have run: code resumed by an event has come to rest. */
export const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
