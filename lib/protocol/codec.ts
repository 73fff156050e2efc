/**
 * Values to JSON text and back. Plain values must stay plain JSON, so that workers in other languages
 * read them; whatever `encode` accepts, `decode` gives back equal.
 */
export interface Codec {
  /** @throws TypeError when the value has no form in this codec. */
  encode(value: unknown): string;
  /** @throws SyntaxError when the text is not of this codec. */
  decode(text: string): unknown;
}

/** The key that marks a value JSON has no word for: `{"$durable":"Date","value":"2026-01-02T03:04:05.678Z"}`. */
const TAG = '$durable';

type Tagged = { [TAG]: string; value?: unknown };

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const tag = (name: string, value?: unknown): Tagged => (value === undefined ? { [TAG]: name } : { [TAG]: name, value });

function errorFields(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined ? {} : { cause: pack(cause) }),
  };
}

/** The value as plain JSON data. Native `toJSON` methods are honoured; user data that looks like a tag is wrapped. */
function pack(value: unknown, path: object[] = []): unknown {
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
      return value === null ? null : packObject(value, path);
    default:
      return value;
  }
}

function packObject(value: object, path: object[]): unknown {
  if (path.includes(value)) throw new TypeError('it contains itself');
  const inner = [...path, value];
  if (Array.isArray(value)) return Array.from(value as unknown[], (item) => pack(item, inner));
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? tag('Date', null) : tag('Date', value.toISOString());
  if (value instanceof Map)
    return tag(
      'Map',
      [...(value as Map<unknown, unknown>)].map((entry) => entry.map((part) => pack(part, inner))),
    );
  if (value instanceof Set)
    return tag(
      'Set',
      [...(value as Set<unknown>)].map((item) => pack(item, inner)),
    );
  if (value instanceof Error) return tag('Error', errorFields(value));
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return pack((value as { toJSON(): unknown }).toJSON(), inner);
  const packed: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) define(packed, key, pack(item, inner));
  return TAG in value ? tag('object', packed) : packed;
}

/** A key may be `__proto__`, which assignment would not store. */
const define = (target: object, key: string, value: unknown): void =>
  void Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });

function unpack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unpack);
  if (TAG in value && isPlain(value)) return untag(value as Tagged);
  return unpackFields(value);
}

function unpackFields(value: object): unknown {
  const fields = {};
  for (const [key, item] of Object.entries(value)) define(fields, key, unpack(item));
  return fields;
}

function untag({ [TAG]: name, value }: Tagged): unknown {
  switch (name) {
    case 'undefined':
      return undefined;
    case 'BigInt':
      return BigInt(value as string);
    case 'Number':
      return Number(value);
    case 'Date':
      return new Date((value as string | null) ?? Number.NaN);
    case 'Map':
      return new Map(unpack(value) as [unknown, unknown][]);
    case 'Set':
      return new Set(unpack(value) as unknown[]);
    case 'Error':
      return reviveError(unpack(value) as Partial<Error>);
    case 'object':
      return unpackFields(value as object);
    default:
      // Not ours: a foreign worker's data that happens to have this key.
      return unpackFields(value === undefined ? { [TAG]: name } : { [TAG]: name, value });
  }
}

function reviveError({ message = '', ...fields }: Partial<Error>): Error {
  const error = new Error(message);
  for (const [key, value] of Object.entries(fields))
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  return error;
}

/** JSON, plus tagged Date, Map, Set, BigInt, Error, undefined and the numbers JSON lacks. */
export const jsonCodec: Codec = {
  encode: (value) => JSON.stringify(pack(value)),
  decode: (text) => unpack(JSON.parse(text)),
};
