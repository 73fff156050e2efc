import { AsyncLocalStorage } from 'node:async_hooks';
import type { MethodEffect, PortMethods, StorageMethods } from '../protocol/port-methods.js';

/** Also an object that counts nothing and says that nothing follows. */
const isNothing = (found: unknown): boolean =>
  !found || (typeof found === 'object' && Object.values(found).every((value) => !value));

/** An operation in progress; the operations that it calls are part of it. */
interface Operation {
  open: boolean;
}

const within = new AsyncLocalStorage<Operation>();

/** These need no save: leases and heartbeats do not outlive a restart. */
const SAVES_NOTHING: readonly MethodEffect[] = ['reads', 'tells', 'lives'];

/** The same port; its operations resolve once their changes are `saved`. */
export function saving<Port extends object>(port: Port, methods: PortMethods<Port>, saved: () => Promise<void>): Port {
  const effects = new Map<string | symbol, MethodEffect>(Object.entries(methods));
  const wrapped = new Map<string | symbol, unknown>();
  return new Proxy(port, {
    get: (target, name) => {
      const known = wrapped.get(name);
      if (known) return known;
      const method: unknown = Reflect.get(target, name, target);
      const effect = effects.get(name);
      if (typeof method !== 'function' || effect === undefined) return method;
      const bound = (method as Method).bind(target);
      const result = SAVES_NOTHING.includes(effect) ? bound : operation(bound, saved, effect === 'finds');
      wrapped.set(name, result);
      return result;
    },
  });
}

/** Wraps each of several ports. */
export function savingAll<Ports extends object>(
  ports: Ports,
  methods: StorageMethods<Ports>,
  saved: () => Promise<void>,
): Ports {
  const names = Object.keys(methods) as (keyof Ports)[];
  const one = <Name extends keyof Ports>(name: Name) =>
    saving(ports[name] as Ports[Name] & object, methods[name] as PortMethods<Ports[Name] & object>, saved);
  return Object.fromEntries(names.map((name) => [name, one(name)])) as Ports;
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
