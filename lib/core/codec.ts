import { brand } from './brand.js';
import { PayloadTooLargeError, SerializationError } from './errors.js';
import { boundedText, type LogText } from './protocol.js';
import { messageOf } from './thrown.js';
import {
  combinedWithCause,
  type ErrorRules,
  FIXED_TEXTS,
  isFixed,
  parseWireError,
  readWireError,
  redactWireError,
  storedWireError,
  toWireError,
  type WireError,
} from './wire-error.js';

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
const REFUSED = /^\[object (Promise|WeakMap|WeakSet|WeakRef|RegExp|DataView|\w+Array)\]$/;
const BYTES = /^\[object (ArrayBuffer|SharedArrayBuffer)\]$/;

/**
 * What `encode` writes, if it is at most `most` bytes long. `what` names the value in errors.
 *
 * @throws SerializationError, PayloadTooLargeError
 */
export function encodedWithin(most: number, what: string, encode: () => string): string {
  let text: string;
  try {
    text = encode();
  } catch (error) {
    throw new SerializationError(what, messageOf(error));
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > most) throw new PayloadTooLargeError(what, bytes, most);
  return text;
}

/** What `value` is, if its values would silently be lost or changed in JSON; undefined if not. */
export function lostInJson(value: object): string | undefined {
  const kind = Object.prototype.toString.call(value);
  // Before `toJSON`: that of a Buffer makes another object of it.
  if (ArrayBuffer.isView(value) || BYTES.test(kind)) return classNameOf(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined;
  const [, refused] = REFUSED.exec(kind) ?? [];
  if (refused !== undefined) return refused;
  return isHollow(value) ? `${classNameOf(value)}, whose values are in no fields of its own` : undefined;
}

/** Without a field, though its class has accessors or methods that know some: a Response, or private fields. */
function isHollow(value: object): boolean {
  if (Array.isArray(value) || Object.keys(value).length > 0) return false;
  for (let type = parentOf(value); type !== null; type = parentOf(type)) {
    // That of all objects, of whatever realm.
    if (parentOf(type) === null) return false;
    const { constructor: _, ...members } = Object.getOwnPropertyDescriptors(type);
    // Without a value it is an accessor.
    if (Object.values(members).some((member) => !('value' in member) || typeof member.value === 'function'))
      return true;
  }
  return false;
}

const classNameOf = (value: { constructor?: { name?: string } }): string => value.constructor?.name || 'class';

const parentOf = (value: object): object | null => Object.getPrototypeOf(value) as object | null;

/** Plain JSON, without tags. @throws TypeError where values would be lost or changed, or the value has no JSON. */
export function plainJson(value: unknown): string | undefined {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, replaced: unknown) {
    // `replaced` is what `toJSON` has made of it.
    for (const value of [this[key], replaced]) {
      const lost = typeof value === 'object' && value !== null ? lostInJson(value) : undefined;
      if (lost !== undefined) throw new TypeError(`it contains a ${lost}`);
      if (isNullInJson(value))
        throw new TypeError(`it contains ${value instanceof Date ? 'an' : 'the number'} ${value}`);
    }
    return replaced;
  }) as string | undefined;
}

/** The codec has tags for these; plain JSON makes null of them. */
const isNullInJson = (value: unknown): value is number | Date =>
  typeof value === 'number' ? !Number.isFinite(value) : value instanceof Date && Number.isNaN(value.getTime());

/** Also true for errors of another realm, which are no `instanceof Error`. */
const isError = (value: object): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';

/** A key may be `__proto__`, which assignment would not store; for all others assignment is faster. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Converts the value to plain JSON data. It refuses what JSON would lose ({@link lostInJson}), calls `toJSON` if there is
 * one, else takes the object's own enumerable fields. User data that looks like a tag is wrapped. `path` holds the enclosing objects.
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
  const lost = lostInJson(value);
  if (lost !== undefined) throw new TypeError(`it contains a ${lost}`);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return pack((value as { toJSON(): unknown }).toJSON(), path);
  }
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

type Fn = (...args: never[]) => unknown;

/** What storage keeps as it is. */
type Plain = string | number | boolean | bigint | null | undefined | void | Date;

/** A value that cannot be stored: `SerializationError` is thrown in its place. */
export interface NotStored<What extends string> {
  readonly 'cannot be stored as JSON': What;
}

type Bytes = ArrayBuffer | ArrayBufferView;

/** The name of the class of `T` if the codec refuses it, since JSON would silently change its values. */
type Refused<T> =
  T extends PromiseLike<unknown>
    ? 'Promise'
    : T extends RegExp
      ? 'RegExp'
      : T extends WeakMap<never, unknown> | WeakSet<never> | WeakRef<WeakKey>
        ? 'a weak reference'
        : never;

/**
 * What comes out of storage for a `T` that went in: a class instance becomes plain data of its own fields, without its
 * methods, or what its `toJSON` returns. Date, Map, Set, bigint and Error stay what they are, errors without their
 * class. What cannot be stored at all, such as a function or a RegExp, becomes {@link NotStored}. A type that loses
 * nothing stays itself.
 *
 * @example
 * class Money { constructor(readonly cents: number) {} format(): string { … } }
 * type InHistory = Stored<Money>; // { readonly cents: number }
 */
export type Stored<T> = Kept<T, [0, 0, 0, 0, 0]>;

/** As deep as there are entries in `Depth`: types that contain themselves have no end. */
type Kept<T, Depth extends 0[]> = unknown extends T
  ? T
  : Depth extends [0, ...infer Rest extends 0[]]
    ? [Converted<T, Rest>] extends [T]
      ? T
      : Converted<T, Rest>
    : T;

/** The order is that of the codec: an Error is one even if it has a `toJSON`. */
type Converted<T, Depth extends 0[] = [0, 0, 0, 0]> = T extends Plain
  ? T
  : T extends Fn
    ? NotStored<'function'>
    : T extends symbol
      ? NotStored<'symbol'>
      : T extends Error
        ? Error
        : T extends ReadonlyMap<infer Key, infer Value>
          ? Map<Kept<Key, Depth>, Kept<Value, Depth>>
          : T extends ReadonlySet<infer Item>
            ? Set<Kept<Item, Depth>>
            : T extends Bytes
              ? NotStored<'bytes'>
              : T extends { toJSON(...args: never[]): infer Json }
                ? Kept<Json, Depth>
                : T extends readonly unknown[]
                  ? { [At in keyof T]: Kept<T[At], Depth> }
                  : [Refused<T>] extends [never]
                    ? StoredFields<T, Depth>
                    : NotStored<Refused<T>>;

/** Methods are not stored, nor are fields whose keys are symbols. */
type StoredFields<T, Depth extends 0[]> = {
  [Key in keyof T as Key extends symbol ? never : FieldKey<T, Key>]: Kept<T[Key], Depth>;
};

type FieldKey<T, Key extends keyof T> = [NonNullable<T[Key]>] extends [never]
  ? Key
  : NonNullable<T[Key]> extends Fn
    ? never
    : Key;

/** The members of `T` that do not survive storage, for the messages of the compiler; never if all do. */
export type Lost<T> = unknown extends T
  ? never
  : [Converted<T>] extends [T]
    ? never
    : T extends Plain
      ? never
      : [LostKey<T>] extends [never]
        ? 'its class'
        : LostKey<T>;

type LostKey<T> = T extends object
  ? Extract<{ [Key in keyof T]-?: [Stored<T[Key]>] extends [T[Key]] ? never : Key }[keyof T], string>
  : never;

/** Begins a text for people that the app's codec has written. */
const MARK = 'sealed:';
const NOT_SEALED = 'it is not sealed';
/** Names and codes that say what kind of error it is; anything else may be data. */
const IDENTIFIER = /^[\w$.:-]{1,64}$/;

/**
 * Errors and texts for people, as they are stored. With the default codec they are plain, so that people can read them
 * with SQL. A codec of the app may encrypt, so it gets them, too: of an error only name, code and `retryable` stay
 * plain. Writing never throws, since an error must not be lost because of another one.
 */
export class StoredTexts {
  /** Whether the app has a codec of its own. */
  readonly seals: boolean;
  /** Whether texts are read that no codec has written. */
  private readonly readsPlain: boolean;

  constructor(
    private readonly codec: Codec,
    readonly rules: ErrorRules = {},
  ) {
    this.seals = codec !== jsonCodec;
    this.readsPlain = !this.seals || (codec.readsPlain ?? true);
  }

  /** An error that is stored now: redacted, with its causes, and sealed. `stack`: with its stack in any case. */
  error(thrown: unknown, context?: CodecContext, { stack = this.rules.stack ?? false } = {}): WireError {
    return this.seal(toWireError(thrown, { ...this.rules, stack }), context);
  }

  /** Whether it must still be sealed: a worker without the codec wrote it, or more than the codec has written. */
  isPlain(text: string | null): boolean {
    return this.seals && text !== null && !this.isSealed(parseWireError(text));
  }

  /** An error text of the contract as it is stored; unchanged if nothing needs to be done, or it was done before. */
  answer(text: string | null, context?: CodecContext): string | null {
    if (text === null || (!this.seals && !this.rules.redact)) return storedWireError(text);
    const wire = parseWireError(text);
    if (this.isSealed(wire)) return storedWireError(text);
    const known = this.mayBeRead(wire) ? wire : refused(wire);
    return JSON.stringify(this.seal(redactWireError(known, this.rules), context));
  }

  /** What is sealed already keeps its text, and loses whatever else could say something. */
  seal(wire: WireError, context?: CodecContext): WireError {
    if (!this.seals || this.isSealed(wire)) return wire;
    const { sealed: before, ...plain } = wire;
    const isOurs = before !== undefined && this.isOfCodec(before);
    const sealed = isOurs ? before : this.encoded(plain, context);
    const { name, code, retryable, retryAfterMs, withoutOutcome, cause } = plain;
    return {
      message: sealed === undefined ? FIXED_TEXTS.notEncoded : FIXED_TEXTS.sealed,
      ...(name !== undefined && IDENTIFIER.test(name) && { name }),
      ...(code !== undefined && IDENTIFIER.test(code) && { code }),
      ...(retryable !== undefined && { retryable }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(withoutOutcome && { withoutOutcome }),
      ...(sealed !== undefined && { sealed }),
      ...(isOurs && cause && { cause: this.seal(cause, context) }),
    };
  }

  /** @throws the codec's error if it cannot be read. */
  open(wire: WireError, context?: CodecContext): WireError {
    const { sealed, cause, retryable, retryAfterMs, withoutOutcome } = wire;
    if (!this.seals) return wire;
    if (!this.mayBeRead(wire)) throw new SyntaxError(NOT_SEALED);
    const outer = cause && this.open(cause, context);
    if (sealed === undefined) return outer ? { ...wire, cause: outer } : wire;
    const opened = readWireError(this.codec.decode(sealed, context) as Record<string, unknown>);
    const kept = {
      ...(retryable !== undefined && { retryable }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(withoutOutcome && { withoutOutcome }),
    };
    const inner = { ...opened, ...kept };
    return outer ? combinedWithCause(inner, outer) : inner;
  }

  /** For people: an error that cannot be read says so. */
  readable(wire: WireError, context?: CodecContext): WireError {
    try {
      return this.open(wire, context);
    } catch (error) {
      const { sealed: _, cause, stack: __, errors: ___, ...plain } = wire;
      const outer = cause && this.readable(cause, context);
      return { ...plain, message: unreadable(error), ...(outer && { cause: outer }) };
    }
  }

  text(text: string, context?: CodecContext): string {
    return this.seals ? this.marked(text, context) : text;
  }

  readText(text: string, context?: CodecContext): string {
    if (!this.seals) return text;
    if (!text.startsWith(MARK)) return this.plain(text);
    try {
      return String(this.codec.decode(text.slice(MARK.length), context));
    } catch (error) {
      return unreadable(error);
    }
  }

  line(line: LogText, context?: CodecContext): LogText {
    if (!this.seals) return line;
    const { level, message, fields } = line;
    return { level, message: this.marked([message, fields], context), fields: null };
  }

  readLine<T extends LogText>(line: T, context?: CodecContext): T {
    if (!this.seals) return line;
    if (!line.message.startsWith(MARK))
      return this.readsPlain ? line : { ...line, message: this.plain(line.message), fields: null };
    try {
      const [message, fields] = this.codec.decode(line.message.slice(MARK.length), context) as [string, string | null];
      return { ...line, message, fields };
    } catch (error) {
      return { ...line, message: unreadable(error) };
    }
  }

  /** For people: what the default codec cannot read is shown as it is. */
  readValue(text: string | null, context?: CodecContext): unknown {
    try {
      return text === null ? null : this.codec.decode(text, context);
    } catch (error) {
      return this.seals ? new UnreadablePayload(reasonOf(error)) : text;
    }
  }

  /** Whether the codec has written it; without its key nobody can tell, but its owner. */
  protected isOfCodec(sealed: string): boolean {
    try {
      this.codec.decode(sealed);
      return true;
    } catch (error) {
      return !(error instanceof SyntaxError);
    }
  }

  /** As `seal` returns it. */
  private isSealed({ message, name, code, stack, errors, cause, sealed }: WireError): boolean {
    if (sealed === undefined || message !== FIXED_TEXTS.sealed || stack !== undefined || errors) return false;
    const isBare = [name, code].every((text) => text === undefined || IDENTIFIER.test(text));
    return isBare && (!cause || this.isSealed(cause)) && this.isOfCodec(sealed);
  }

  private mayBeRead({ message, sealed }: WireError): boolean {
    return this.readsPlain || isFixed(message) || (sealed !== undefined && this.isOfCodec(sealed));
  }

  private plain(text: string): string {
    return this.readsPlain || isFixed(text) ? text : unreadable(new SyntaxError(NOT_SEALED));
  }

  private marked(value: unknown, context: CodecContext | undefined): string {
    const text = this.encoded(value, context);
    return text === undefined ? FIXED_TEXTS.notEncoded : `${MARK}${text}`;
  }

  private encoded(value: unknown, context: CodecContext | undefined): string | undefined {
    try {
      return this.codec.encode(value, context);
    } catch {
      return undefined;
    }
  }
}

/** In place of the error of a worker that has written it in plain text. */
const refused = ({ retryable, retryAfterMs }: WireError): WireError => ({
  name: 'UnreadablePayloadError',
  code: 'UNREADABLE_PAYLOAD',
  message: 'The error of the step is not sealed, and the codec of the app reads nothing plain: its worker must seal it',
  ...(retryable !== undefined && { retryable }),
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

const unreadable = (error: unknown): string => `Not readable with the codec of the app: ${reasonOf(error)}`;

const reasonOf = (error: unknown): string => boundedText(messageOf(error), 1_024);

/**
 * Stands for a stored value that the codec of the app cannot decode, for example because its key was deleted. `getStatus`
 * and `list` show it in place of the value.
 *
 * @example
 * if (status.input instanceof UnreadablePayload) return 'erased';
 */
export class UnreadablePayload {
  /** True: also recognizable in its JSON form. */
  readonly unreadable = true;

  constructor(
    /** The message of the codec's error. */
    readonly reason: string,
  ) {}
}

brand({ UnreadablePayload });
