/** What happens around each call of a port. */
export type Around = (name: string, call: () => unknown) => unknown;

/** The same ports, with `around` called in place of each of their methods. */
export function intercepted<Ports extends object>(ports: Ports, around: Around): Ports {
  const entries = Object.entries(ports).map(([name, port]) => [name, interceptedPort(port as object, around)]);
  return Object.fromEntries(entries) as Ports;
}

export function interceptedPort<Port extends object>(port: Port, around: Around): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function' || typeof name === 'symbol') return method;
      return (...args: unknown[]) =>
        around(name, () => (method as (...given: unknown[]) => unknown).apply(target, args));
    },
  });
}
