type Class<T = object> = abstract new (...args: never[]) => T;

/**
 * Makes classes recognizable across copies of this package, and under the names that they have here: an app may have
 * installed it twice, and bundlers rename classes. `instanceof` asks for the mark on the prototype, so it also finds
 * instances of the same class of another copy; it never throws. A subclass of the app is asked for as always.
 *
 * @example brand({ RetryAfterError });
 */
export function brand(classes: Readonly<Record<string, Class>>): void {
  for (const [name, type] of Object.entries(classes)) {
    const mark = Symbol.for(`nest-durable.${name}`);
    const isInstance = function (this: unknown, value: unknown): boolean {
      return this === type ? isMarked(value, mark) : Function.prototype[Symbol.hasInstance].call(this, value);
    };
    Object.defineProperty(type, 'name', { value: name, configurable: true });
    Object.defineProperty(type, Symbol.hasInstance, { value: isInstance, configurable: true });
    Object.defineProperty(type.prototype, mark, { value: true });
  }
}

function isMarked(value: unknown, mark: symbol): boolean {
  try {
    return typeof value === 'object' && value !== null && mark in value;
  } catch {
    // A proxy that was revoked, or whose trap throws.
    return false;
  }
}

/**
 * Whether a thrown value is of a class of ours, or an error that has its name: one that another program has written, or
 * that was stored and is thrown again.
 */
export function isA<T extends Error>(thrown: unknown, type: Class<T>): thrown is T {
  if (thrown instanceof type) return true;
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown as { name?: unknown }).name === type.name;
  } catch {
    return false;
  }
}
