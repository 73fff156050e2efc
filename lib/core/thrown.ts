import { inspect, types } from 'node:util';

/** What is read of errors beside their message, here and by the code that recognizes those of databases. */
const FIELDS = [
  ...['name', 'code', 'stack', 'cause', 'errors', 'retryable', 'delay'],
  ...['driverError', 'originalError', 'errno', 'sqlState', 'severity', 'sql', 'query'],
];
/** Those that lead to other errors. */
const LINKS: ReadonlySet<string> = new Set(['cause', 'errors', 'driverError', 'originalError']);

const UNREADABLE = 'Thrown: a value that cannot be converted to a string';

/** The copies of what was thrown, for code of the app that asks for what it has thrown itself. */
const originals = new WeakMap<Error, object>();

/**
 * What was thrown, as an error that is safe to read: no getter and no trap of a proxy runs code when one of its fields is
 * read, nor those of its causes. An ordinary error is returned itself; of anything else a copy is made, with the same
 * prototype if that is one of errors. To be called once, where code of the app has ended; never throws.
 *
 * @example
 * try { await handler(input); } catch (thrown) { return failed(asError(thrown)); }
 */
export function asError(thrown: unknown): Error {
  try {
    if (!isObject(thrown)) return define(new Error(textOf(thrown)), 'stack', `Error: ${textOf(thrown)}`);
    const isOrdinary = !types.isProxy(thrown) && prototypeOf(thrown) && isPlain(thrown);
    return isOrdinary && typeof (thrown as Error).message === 'string' ? (thrown as Error) : copyOf(thrown, new Map());
  } catch {
    return new Error(UNREADABLE);
  }
}

/** Calls code of the app: what it throws can be read by all that it passes. */
export async function readably<T>(work: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw asError(thrown);
  }
}

/** The message of whatever was thrown. */
export const messageOf = (thrown: unknown): string => asError(thrown).message;

/** The error of the app of which {@link asError} has made this one. */
export const thrownAs = (error: Error): Error => (originals.get(error) as Error | undefined) ?? error;

type Found = 'missing' | 'code' | { value: unknown };

/** A field of an object or of its prototypes; `code` if reading it runs code. */
function find(of: object, field: string): Found {
  for (let at: object | null = of; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (types.isProxy(at)) return 'code';
    const found = Object.getOwnPropertyDescriptor(at, field);
    if (found && 'value' in found) return { value: found.value as unknown };
    // Node's own in some versions.
    if (found) return field === 'stack' && found.get === STACK?.get ? { value: undefined } : 'code';
  }
  return 'missing';
}

const STACK = Object.getOwnPropertyDescriptor(new Error('stack'), 'stack');

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** With all that its links lead to, however deep that is. */
function isPlain(value: unknown): boolean {
  const seen = new Set<unknown>();
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (!isObject(next) || seen.has(next)) continue;
    seen.add(next);
    if (types.isProxy(next)) return false;
    const isList = Array.isArray(next);
    for (const field of isList ? Object.keys(next) : ['message', ...FIELDS]) {
      const found = find(next, field);
      if (found === 'code') return false;
      if (found !== 'missing' && (isList || LINKS.has(field))) left.push(found.value);
    }
  }
  return true;
}

/** The most errors that are copied of one: more than any record keeps. */
const MOST_COPIES = 100;

/** `copies`: of those that are being copied, since causes may form a circle. */
function copyOf(thrown: object, copies: Map<object, Error>): Error {
  const known = copies.get(thrown);
  if (known) return known;
  const prototype = prototypeOf(thrown);
  const copy = Object.create(prototype ?? Error.prototype) as Error;
  copies.set(thrown, copy);
  if (prototype && !types.isProxy(thrown)) originals.set(copy, thrown);
  copyOwn(thrown, copy);
  const isErrorLike = prototype !== undefined || safely(() => 'message' in thrown, false);
  for (const field of isErrorLike ? FIELDS : ASKS) {
    const value = safely(() => Reflect.get(thrown, field) as unknown, undefined);
    if (value !== undefined || find(copy, field) === 'code')
      define(copy, field, LINKS.has(field) ? safely(() => linked(value, copies), undefined) : value);
  }
  const { name, stack } = copy;
  const message = isErrorLike ? safely(() => String(Reflect.get(thrown, 'message')), UNREADABLE) : textOf(thrown);
  define(copy, 'name', isErrorLike && typeof name === 'string' ? name : 'Error');
  define(copy, 'message', message);
  define(copy, 'stack', isErrorLike && typeof stack === 'string' ? stack : `${copy.name}: ${message}`);
  return copy;
}

/** What an object asks for that looks like no error otherwise. */
const ASKS = ['retryable', 'delay'];

/** That of errors; undefined for another one. */
function prototypeOf(thrown: object): object | undefined {
  const prototype = safely(() => Object.getPrototypeOf(thrown) as object | null, null);
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (types.isProxy(at)) return undefined;
    if (at === Error.prototype) return prototype!;
  }
  return undefined;
}

function copyOwn(thrown: object, copy: Error): void {
  if (types.isProxy(thrown)) return;
  for (const [key, found] of Object.entries(Object.getOwnPropertyDescriptors(thrown)))
    if ('value' in found) define(copy, key, found.value, found.enumerable);
}

function define(copy: Error, field: string, value: unknown, enumerable = false): Error {
  return Object.defineProperty(copy, field, { value, enumerable, configurable: true, writable: true });
}

function linked(value: unknown, copies: Map<object, Error>): unknown {
  if (isPlain(value)) return value;
  if (copies.size >= MOST_COPIES) return undefined;
  if (types.isProxy(value) || !Array.isArray(value)) return copyOf(value as object, copies);
  return Array.from(value, (_, i) => safely(() => linked(value[i], copies), undefined));
}

/** Of a value that is no error. */
const textOf = (thrown: unknown): string =>
  safely(() => {
    if (typeof thrown === 'string') return thrown;
    return `Thrown: ${typeof thrown === 'object' ? JSON.stringify(thrown) : inspect(thrown)}`;
  }, UNREADABLE);

function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
