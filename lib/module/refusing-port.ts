import { ConfigurationError } from '../errors.js';

/** A port of what an app has turned off: whatever is called says so. */
export function refusing<Port extends object>(message: string): Port {
  const refuse = () => Promise.reject(new ConfigurationError(message));
  return new Proxy({} as Port, { get: () => refuse });
}
