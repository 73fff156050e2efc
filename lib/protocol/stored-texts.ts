import { type Codec, type CodecContext, jsonCodec } from './codec.js';
import type { ErrorRules } from './error-rules.js';
import { boundedText, type LogText } from './log-line.js';
import { UnreadablePayload } from './unreadable-payload.js';
import {
  combinedWithCause,
  parseWireError,
  readWireError,
  redactWireError,
  storedWireError,
  toWireError,
  type WireError,
} from './wire-error.js';

/** Begins a text for people that the app's codec has written. */
const MARK = 'sealed:';
const SEALED = 'Sealed by the codec of the app';
/** In place of what the codec could not encode, because the key is missing. */
const NOT_ENCODED = 'Not stored: the codec of the app could not encode it';
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

  constructor(
    private readonly codec: Codec,
    readonly rules: ErrorRules = {},
  ) {
    this.seals = codec !== jsonCodec;
  }

  /** An error that is stored now: redacted, with its causes, and sealed. `stack`: with its stack in any case. */
  error(thrown: unknown, context?: CodecContext, { stack = this.rules.stack ?? false } = {}): WireError {
    return this.seal(toWireError(thrown, { ...this.rules, stack }), context);
  }

  /** Whether it must still be sealed: a worker without the codec wrote it. */
  isPlain(text: string | null): boolean {
    return this.seals && text !== null && parseWireError(text).sealed === undefined;
  }

  /** An error text of the contract as it is stored; unchanged if nothing needs to be done, or it was done before. */
  answer(text: string | null, context?: CodecContext): string | null {
    if (text === null || (!this.seals && !this.rules.redact)) return storedWireError(text);
    const wire = parseWireError(text);
    if (wire.sealed !== undefined) return storedWireError(text);
    return JSON.stringify(this.seal(redactWireError(wire, this.rules), context));
  }

  seal(wire: WireError, context?: CodecContext): WireError {
    if (!this.seals || wire.sealed !== undefined) return wire;
    const { name, code, retryable, retryAfterMs } = wire;
    const sealed = this.encoded(wire, context);
    return {
      message: sealed === undefined ? NOT_ENCODED : SEALED,
      ...(name !== undefined && IDENTIFIER.test(name) && { name }),
      ...(code !== undefined && IDENTIFIER.test(code) && { code }),
      ...(retryable !== undefined && { retryable }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(sealed !== undefined && { sealed }),
    };
  }

  /** @throws the codec's error if it cannot be read. */
  open(wire: WireError, context?: CodecContext): WireError {
    const { sealed, cause, retryable, retryAfterMs } = wire;
    if (!this.seals) return wire;
    const outer = cause && this.open(cause, context);
    if (sealed === undefined) return outer ? { ...wire, cause: outer } : wire;
    const opened = readWireError(this.codec.decode(sealed, context) as Record<string, unknown>);
    const kept = { ...(retryable !== undefined && { retryable }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
    const inner = { ...opened, ...kept };
    return outer ? combinedWithCause(inner, outer) : inner;
  }

  /** For people: an error that cannot be read says so. */
  readable(wire: WireError, context?: CodecContext): WireError {
    try {
      return this.open(wire, context);
    } catch (error) {
      const { sealed: _, cause, ...plain } = wire;
      const outer = cause && this.readable(cause, context);
      return { ...plain, message: unreadable(error), ...(outer && { cause: outer }) };
    }
  }

  text(text: string, context?: CodecContext): string {
    return this.seals ? this.marked(text, context) : text;
  }

  readText(text: string, context?: CodecContext): string {
    if (!this.seals || !text.startsWith(MARK)) return text;
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
    if (!this.seals || !line.message.startsWith(MARK)) return line;
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

  private marked(value: unknown, context: CodecContext | undefined): string {
    const text = this.encoded(value, context);
    return text === undefined ? NOT_ENCODED : `${MARK}${text}`;
  }

  private encoded(value: unknown, context: CodecContext | undefined): string | undefined {
    try {
      return this.codec.encode(value, context);
    } catch {
      return undefined;
    }
  }
}

const unreadable = (error: unknown): string => `Not readable with the codec of the app: ${reasonOf(error)}`;

const reasonOf = (error: unknown): string => boundedText(error instanceof Error ? error.message : String(error), 1_024);
