const refuse = (): never => {
  throw new Error('not readable');
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Values whose fields cannot be read, as code of an app may throw them. */
export const UNREADABLE: Readonly<Record<string, () => unknown>> = {
  exception: () => Object.create(DOMException.prototype) as unknown,
  getter: () => Object.defineProperty({}, 'retryable', { get: refuse, enumerable: true }),
  message: () => Object.defineProperty(new Error('m'), 'message', { get: refuse }),
  cause: () => new Error('of a cause', { cause: revoked() }),
  errors: () => new AggregateError([revoked()], 'of several'),
  proxy: () => new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse }),
  function: () => new Proxy(() => undefined, { get: refuse }),
  revoked,
};

/** Throws one of them. */
export function throwUnreadable(kind: string): never {
  throw UNREADABLE[kind]!();
}
