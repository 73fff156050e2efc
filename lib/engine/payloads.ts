import { messageOf } from '../core/thrown.js';
import { isDeepStrictEqual } from 'node:util';
import { type Codec, type CodecContext, StoredTexts } from '../core/codec.js';
import {
  AsyncSchemaError,
  InvalidArgumentError,
  PayloadTooLargeError,
  SerializationError,
  UnreadablePayloadError,
  ValidationError,
  type ValidationIssue,
} from '../core/errors.js';
import type { SchemaIssue, StandardSchema } from '../core/options.js';
import { parseWireError, type WireError } from '../core/wire-error.js';
import type { Attributes } from './run.js';

export interface PayloadLimits {
  /** The most bytes of one payload's JSON. */
  payloadBytes: number;
  /** `onLarge` is called for payloads with more bytes than this. */
  warnBytes?: number;
  onLarge?: (what: string, bytes: number) => void;
}

/** Encodes values as texts for the storage; throws for invalid values before anything is written. */
export class Payloads {
  constructor(
    private readonly codec: Codec,
    private readonly limits: PayloadLimits,
    /** Errors and texts for people. */
    readonly texts = new StoredTexts(codec),
    /** What the codec is told of the values. */
    readonly context?: CodecContext,
  ) {}

  of(context: CodecContext): Payloads {
    return new Payloads(this.codec, this.limits, this.texts, context);
  }

  /** The payloads of one run, with what its record says of it. */
  ofRun(
    { id: runId, workflow, input }: { id: string; workflow: string; input: string | null },
    attributes?: Attributes,
  ): Payloads {
    return this.of({ workflow, runId, ...(attributes && { attributes }), ...(input !== null && { input }) });
  }

  /** A missing text is the value null, which no codec has written. */
  decode(text: string | null): unknown {
    return text === null ? null : this.codec.decode(text, this.context);
  }

  /** `what` names the value in the error. @throws UnreadablePayloadError */
  read(text: string | null, what: string): unknown {
    try {
      return this.decode(text);
    } catch (cause) {
      throw new UnreadablePayloadError(what, { cause });
    }
  }

  /**
   * Whether two texts are of equal values: an encrypting codec writes equal values differently, and what was sent once
   * more may have been through JSON, which drops undefined properties and the sign of zero.
   */
  isSame(one: string | null, other: string | null): boolean {
    return one === other || isDeepStrictEqual(comparable(this.decode(one)), comparable(this.decode(other)));
  }

  /** A text that was written elsewhere, as a value of this run: an encrypting codec writes it with the run's own key. */
  adopted(text: string | null): string | null {
    if (text === null || !this.texts.seals) return text;
    try {
      return this.encodeFreely(this.decode(text));
    } catch {
      // Whoever needs the value is told that it cannot be read.
      return text;
    }
  }

  /** Without a limit. @throws TypeError */
  encodeFreely(value: unknown): string {
    return this.codec.encode(value, this.context);
  }

  /** An error as it is stored. `stack`: with its stack, whatever the options of the app say. */
  error(thrown: unknown, stack?: true): WireError {
    return this.texts.error(thrown, this.context, stack && { stack });
  }

  /** A stored error, for people: one that cannot be decoded says so. */
  readError(text: string | null): WireError {
    return this.texts.readable(parseWireError(text), this.context);
  }

  /** A stored value, for people. A text that the default codec cannot read is shown as it is. */
  readValue(text: string | null): unknown {
    return this.texts.readValue(text, this.context);
  }

  /** `what` names the value in errors. @throws SerializationError, PayloadTooLargeError */
  encode(value: unknown, what: string): string {
    const text = this.stringify(value, what);
    // A character takes at most 3 bytes, so short texts need no count.
    const { payloadBytes, warnBytes = payloadBytes, onLarge } = this.limits;
    const bytes = text.length * 3 <= Math.min(warnBytes, payloadBytes) ? 0 : Buffer.byteLength(text);
    if (bytes > payloadBytes) throw new PayloadTooLargeError(what, bytes, payloadBytes);
    if (bytes > warnBytes) onLarge?.(what, bytes);
    return text;
  }

  /** Like `encode`, for values sent to workers, where undefined is null. */
  encodeForWorker(value: unknown, what: string): string {
    return this.encode(value ?? null, what);
  }

  private stringify(value: unknown, what: string): string {
    try {
      return this.encodeFreely(value);
    } catch (error) {
      throw new SerializationError(what, messageOf(error));
    }
  }
}

/** Without what JSON drops. */
function comparable(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Map) return new Map(Array.from(value, ([key, one]) => [comparable(key), comparable(one)]));
  if (value instanceof Set) return new Set(Array.from(value, comparable));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const there = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(there.map(([key, one]) => [key, comparable(one)]));
}

/**
 * Returns what the schema makes of a value. `what` names the value in errors.
 *
 * @throws ValidationError; AsyncSchemaError, because a value is checked between two lines of a workflow, where nothing
 *   can be awaited.
 */
export function validated(schema: StandardSchema, value: unknown, what: string): unknown {
  const result = schema['~standard'].validate(value);
  if (isThenable(result)) {
    // It may fail later, when nobody waits for it any more.
    Promise.resolve(result).catch(() => undefined);
    throw new AsyncSchemaError(what, schema['~standard'].vendor);
  }
  if (result.issues) throw new ValidationError(what, result.issues.map(issueOf));
  return result.value;
}

/** Of another realm, or of a library with promises of its own: no result has this method. */
const isThenable = (result: object): result is PromiseLike<unknown> =>
  typeof (result as Partial<PromiseLike<unknown>>).then === 'function';

/** Whether a value implements the standard; schemas of some libraries are functions. */
export function isSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const { version, validate } = (value as Partial<StandardSchema>)['~standard'] ?? {};
  return version === 1 && typeof validate === 'function';
}

/** For a declaration that expects a schema. */
export const noSchema = (what: string, value: unknown): InvalidArgumentError =>
  new InvalidArgumentError(what, value, 'a schema of Standard Schema v1, such as one of zod, valibot or arktype');

/** The standard has no code: zod and arktype call it `code`, valibot `type`. */
function issueOf(issue: SchemaIssue): ValidationIssue {
  const { code, type } = issue as { code?: unknown; type?: unknown };
  const named = [code, type].find((name) => typeof name === 'string');
  return { code: typeof named === 'string' ? named : 'invalid', path: pathOf(issue), message: issue.message };
}

/** A plain array: that of arktype is a class of its own. */
const pathOf = ({ path = [] }: SchemaIssue): (string | number)[] =>
  Array.from(path, (segment) => {
    const key = typeof segment === 'object' ? segment.key : segment;
    return typeof key === 'symbol' ? String(key) : key;
  });
