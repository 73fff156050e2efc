import { type Codec, type CodecContext, jsonCodec } from './codec.js';
import type { ErrorRules } from './error-rules.js';
import { FIXED_TEXTS, isFixed } from './fixed-texts.js';
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
    const { name, code, retryable, retryAfterMs, cause } = plain;
    return {
      message: sealed === undefined ? FIXED_TEXTS.notEncoded : FIXED_TEXTS.sealed,
      ...(name !== undefined && IDENTIFIER.test(name) && { name }),
      ...(code !== undefined && IDENTIFIER.test(code) && { code }),
      ...(retryable !== undefined && { retryable }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(sealed !== undefined && { sealed }),
      ...(isOurs && cause && { cause: this.seal(cause, context) }),
    };
  }

  /** @throws the codec's error if it cannot be read. */
  open(wire: WireError, context?: CodecContext): WireError {
    const { sealed, cause, retryable, retryAfterMs } = wire;
    if (!this.seals) return wire;
    if (!this.mayBeRead(wire)) throw new SyntaxError(NOT_SEALED);
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

const reasonOf = (error: unknown): string => boundedText(error instanceof Error ? error.message : String(error), 1_024);
