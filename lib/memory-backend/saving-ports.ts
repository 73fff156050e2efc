import { AsyncLocalStorage } from 'node:async_hooks';

/** Methods that change nothing. */
const READS = new Set([
  ...[
    'page',
    'histories',
    'owned',
    'awaited',
    'find',
    'step',
    'steps',
    'list',
    'look',
    'waiting',
    'queued',
    'openChildren',
  ],
  ...['read', 'tops', 'snapshot', 'fetch', 'requeued', 'known', 'standing', 'lag'],
  ...['statusCounts', 'listAbandoned', 'listScheduled', 'unclaimed', 'isComplete'],
  ...['attempts', 'logs', 'attributes', 'children', 'surroundings', 'peek', 'lost', 'lostClaims', 'unserved'],
]);
/** Who lives, and until when: nobody does after a restart. */
const VOLATILE = new Set(['beat', 'leave', 'strikeOff', 'extend', 'admit', 'renew', 'acquire']);
/** Methods that change something only when they find something. */
const FINDS = new Set(['claim', 'reap', 'deliver', 'expire', 'purge', 'tidy', 'prune']);
const TELLS = /^(on[A-Z]|announce)/;

/** It changes nothing. */
export const isReadingMethod = (name: string): boolean => READS.has(name) || TELLS.test(name);

const isNothing = (found: unknown): boolean => found === 0 || (Array.isArray(found) && found.length === 0);

/** An operation in progress: what it calls within is part of it. */
interface Operation {
  open: boolean;
}

const within = new AsyncLocalStorage<Operation>();

/** The same port, whose operations resolve once what they have changed is `saved`. */
export function saving<Port extends object>(port: Port, saved: () => Promise<void>): Port {
  const wrapped = new Map<string | symbol, unknown>();
  return new Proxy(port, {
    get: (target, name) => {
      const known = wrapped.get(name);
      if (known) return known;
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      const bound = (method as (...args: unknown[]) => unknown).bind(target);
      const isRead = typeof name === 'symbol' || isReadingMethod(name) || VOLATILE.has(name);
      const result = isRead ? bound : operation(bound, saved, FINDS.has(name));
      wrapped.set(name, result);
      return result;
    },
  });
}

type Method = (...args: unknown[]) => unknown;

function operation(method: Method, saved: () => Promise<void>, finds: boolean): Method {
  return (...args) => {
    if (within.getStore()?.open) return method(...args);
    const current: Operation = { open: true };
    const settled = async (): Promise<unknown> => {
      try {
        return await within.run(current, () => method(...args));
      } finally {
        current.open = false;
      }
    };
    return settled().then(async (found) => {
      if (!(finds && isNothing(found))) await saved();
      return found;
    });
  };
}
