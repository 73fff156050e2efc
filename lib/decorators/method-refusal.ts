/** What a decorator for instance methods stands on, when it is none that can be called by its name. */
export function methodRefusal(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<unknown> | undefined,
): string | undefined {
  if (typeof target === 'function') return `the static member ${target.name}.${String(key)}`;
  const member = `${target.constructor.name}.${String(key)}`;
  if (typeof key === 'symbol') return `${member}, which has no name`;
  return typeof descriptor?.value === 'function' ? undefined : `${member}, which is no method`;
}
