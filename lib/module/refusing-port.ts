import { ConfigurationError } from '../errors.js';

/** A port of a feature that is turned off: every call rejects. */
export function refusing<Port extends object>(message: string): Port {
  const refuse = () => Promise.reject(new ConfigurationError(message));
  return new Proxy({} as Port, { get: () => refuse });
}
