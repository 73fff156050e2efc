/** What is known of the run that a value belongs to. Each place passes what it knows: see docs/encryption.md. */
export interface CodecContext {
  /** The name of the workflow. */
  readonly workflow?: string;
  readonly runId?: string;
  /** Those that the run is started with. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | Date>>;
  /** For calls of effects: the subject of their operation. */
  readonly subject?: string;
  /** For events of the outbox: their channel. */
  readonly channel?: string;
  /**
   * The stored text of the input that led to this value: of the run, the task or the call. It may name the key that
   * this value needs, too.
   */
  readonly input?: string;
}

/**
 * Converts values to JSON text and back. Plain values must stay plain JSON, so that workers in other languages can
 * read them, unless those have the same codec. `decode` returns data equal to the encoded value; class instances become
 * plain data.
 *
 * A codec of the app also converts errors, custom status and log lines. If it encrypts with several keys, a text must
 * name its key: texts travel, for example from a child to its parent, so `decode` may get another context than `encode`.
 */
export interface Codec {
  /**
   * False: also errors, statuses and log lines that are plain are refused, as if they had been forged. Default: they are
   * read, since workers in other languages write them, and rows from before have them.
   */
  readonly readsPlain?: boolean;
  /** @throws TypeError when the value has no form in this codec. */
  encode(value: unknown, context?: CodecContext): string;
  /** @throws SyntaxError when the text is not of this codec, and never will be; another error when its key is missing. */
  decode(text: string, context?: CodecContext): unknown;
}

/** The key that marks a value without a JSON form: `{"$durable":"Date","value":"2026-01-02T03:04:05.678Z"}`. */
const TAG = '$durable';

type Tagged = { [TAG]: string; value?: unknown };

const tag = (name: string, value?: unknown): Tagged => (value === undefined ? { [TAG]: name } : { [TAG]: name, value });

/** Types that JSON would silently change. */
const REFUSED = /^\[object (Promise|WeakMap|WeakSet|WeakRef|RegExp|ArrayBuffer|SharedArrayBuffer|DataView|\w+Array)\]$/;

/** Also true for errors of another realm, which are no `instanceof Error`. */
const isError = (value: object): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';

/** A key may be `__proto__`, which assignment would not store; for all others assignment is faster. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Converts the value to plain JSON data. It calls `toJSON` if there is one, else takes the object's own enumerable
 * fields. User data that looks like a tag is wrapped. `path` holds the enclosing objects.
 */
function pack(value: unknown, path: object[]): unknown {
  switch (typeof value) {
    case 'undefined':
      return tag('undefined');
    case 'bigint':
      return tag('BigInt', value.toString());
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : tag('Number', Object.is(value, -0) ? '-0' : String(value));
    case 'function':
    case 'symbol':
      throw new TypeError(`it contains a ${typeof value}`);
    case 'object':
      return value === null ? null : packOnce(value, path);
    default:
      return value;
  }
}

function packOnce(value: object, path: object[]): unknown {
  if (path.includes(value)) throw new TypeError('it contains itself');
  path.push(value);
  const packed = packObject(value, path);
  path.pop();
  return packed;
}

function packObject(value: object, path: object[]): unknown {
  if (Array.isArray(value)) return Array.from(value as unknown[], (item) => pack(item, path));
  if (Object.getPrototypeOf(value) === Object.prototype && !('toJSON' in value)) return packFields(value, path);
  if (value instanceof Date) return tag('Date', Number.isNaN(value.getTime()) ? null : value.toISOString());
  if (value instanceof Map)
    return tag(
      'Map',
      Array.from(value, (entry) => entry.map((part) => pack(part, path))),
    );
  if (value instanceof Set)
    return tag(
      'Set',
      Array.from(value, (item) => pack(item, path)),
    );
  if (isError(value)) return tag('Error', packError(value, path));
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return pack((value as { toJSON(): unknown }).toJSON(), path);
  }
  const [, kind] = REFUSED.exec(Object.prototype.toString.call(value)) ?? [];
  if (kind) throw new TypeError(`it contains a ${kind}`);
  return packFields(value, path);
}

function packFields(value: object, path: object[]): unknown {
  const packed = {};
  for (const [key, item] of Object.entries(value)) define(packed, key, pack(item, path));
  return Object.hasOwn(packed, TAG) ? tag('object', packed) : packed;
}

function packError(error: Error, path: object[]): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name: String(name),
    message: String(message),
    ...(code === undefined ? {} : { code: pack(code, path) }),
    ...(typeof stack === 'string' ? { stack } : {}),
    ...(cause === undefined ? {} : { cause: pack(cause, path) }),
  };
}

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpack);
  return Object.hasOwn(value, TAG) ? untag(value as Tagged) : unpackFields(value);
}

function unpackFields(value: object): object {
  const fields = {};
  for (const [key, item] of Object.entries(value)) define(fields, key, unpack(item));
  return fields;
}

/** A tag in another form than `pack` writes is data of a foreign worker that happens to have this key. */
function untag(tagged: Tagged): unknown {
  const { [TAG]: name, value } = tagged;
  if (Object.keys(tagged).length > ('value' in tagged ? 2 : 1)) return unpackFields(tagged);
  if (name === 'undefined' && value === undefined) return undefined;
  if (name === 'Date' && value === null) return new Date(Number.NaN);
  if (typeof value === 'string') return untagText(name, value) ?? unpackFields(tagged);
  if (typeof value === 'object' && value !== null) return untagObject(name, value) ?? unpackFields(tagged);
  return unpackFields(tagged);
}

function untagText(name: string, text: string): unknown {
  if (name === 'BigInt' && /^-?\d+$/.test(text)) return BigInt(text);
  if (name === 'Number' && /^(NaN|-?Infinity|-0)$/.test(text)) return Number(text);
  if (name === 'Date' && !Number.isNaN(Date.parse(text))) return new Date(text);
  return undefined;
}

function untagObject(name: string, value: object): unknown {
  if (name === 'Map' && Array.isArray(value) && value.every((entry) => Array.isArray(entry))) {
    return new Map(value.map(unpack) as [unknown, unknown][]);
  }
  if (name === 'Set' && Array.isArray(value)) return new Set(value.map(unpack));
  if (name === 'Error' && !Array.isArray(value)) return reviveError(unpackFields(value));
  if (name === 'object' && !Array.isArray(value)) return unpackFields(value);
  return undefined;
}

function reviveError({ message, ...fields }: Partial<Error>): Error {
  const error = new Error(String(message ?? ''));
  const hidden = { configurable: true, writable: true };
  for (const [key, value] of Object.entries(fields)) Object.defineProperty(error, key, { value, ...hidden });
  return error;
}

/** A structure nested tens of thousands of levels deep overflows the stack, here and in `JSON`. */
function shallowEnough<T>(work: () => T, error: (message: string) => Error): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw error('it is nested too deeply');
    throw thrown;
  }
}

/** Longer texts may be nested too deeply for code that processes the value. */
const SHORT = 4_096;

/** True for short texts without a tag (a backslash may escape one): most texts; they need no unpacking. */
const isPlain = (text: string): boolean => text.length < SHORT && !text.includes(TAG) && !text.includes('\\');

/** JSON, plus tagged Date, Map, Set, BigInt, Error, undefined and the numbers JSON lacks. */
export const jsonCodec: Codec = {
  encode: (value) =>
    shallowEnough(
      () => JSON.stringify(pack(value, [])),
      (message) => new TypeError(message),
    ),
  decode: (text) =>
    shallowEnough(
      () => {
        const value: unknown = JSON.parse(text);
        return isPlain(text) ? value : unpack(value);
      },
      (message) => new SyntaxError(message),
    ),
};
