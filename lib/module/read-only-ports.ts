import { ConfigurationError } from '../errors.js';
import { isReadingMethod } from '../memory-backend/saving-ports.js';

/** The same port, of which only what reads can be called. */
export function readOnly<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      if (typeof name === 'symbol' || isReadingMethod(name))
        return (method as (...args: unknown[]) => unknown).bind(target);
      return () => {
        throw new ConfigurationError(
          `Nothing is written while "nest-durable check" looks at the app, and something in it calls "${name}": ` +
            'do that after the start, or not while process.env.NEST_DURABLE_CHECK is set',
        );
      };
    },
  });
}
