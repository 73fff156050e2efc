/**
 * What a decorator has written down at the methods of a class, by their names. Inherited ones included; of a method
 * that is overridden, what stands nearest.
 */
export function decoratedMethods<Declared>(target: object, metadataKey: string): Map<string, Declared> {
  const methods = new Map<string, Declared>();
  const prototype = (target as { prototype?: object }).prototype;
  for (let at = prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const method of Object.getOwnPropertyNames(at)) {
      const declared = Reflect.getOwnMetadata(metadataKey, at, method) as Declared | undefined;
      if (declared && !methods.has(method)) methods.set(method, declared);
    }
  }
  return methods;
}
