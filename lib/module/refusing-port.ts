import { ConfigurationError } from '../errors/setup-errors.js';
import type { MethodEffect, PortMethods, StorageMethods } from '../protocol/port-methods.js';

/** A port of a feature that is turned off: every call rejects. */
export function refusing<Port extends object>(message: string): Port {
  const refuse = () => Promise.reject(new ConfigurationError(message));
  return new Proxy({} as Port, { get: () => refuse });
}

/** The same port, restricted to methods that only read. */
export function readOnly<Port extends object>(port: Port, methods: PortMethods<Port>): Port {
  const effects = new Map<string | symbol, MethodEffect>(Object.entries(methods));
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      const effect = effects.get(name);
      if (typeof name === 'symbol' || effect === 'reads' || effect === 'tells')
        return (method as (...args: unknown[]) => unknown).bind(target);
      return () => {
        throw new ConfigurationError(
          `"nest-durable check" writes nothing, but the app calls "${name}" during the check: ` +
            'call it after the start of the app, or only if process.env.NEST_DURABLE_CHECK is not set',
        );
      };
    },
  });
}

/** Restricts each of several ports. */
export function readOnlyAll<Ports extends object>(ports: Ports, methods: StorageMethods<Ports>): Ports {
  const names = Object.keys(methods) as (keyof Ports)[];
  const one = <Name extends keyof Ports>(name: Name) =>
    readOnly(ports[name] as Ports[Name] & object, methods[name] as PortMethods<Ports[Name] & object>);
  return Object.fromEntries(names.map((name) => [name, one(name)])) as Ports;
}
