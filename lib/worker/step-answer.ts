import { PayloadTooLargeError, SerializationError, UnreadablePayloadError } from '../errors/payload-errors.js';
import { NonRetryableStepError } from '../errors/step-errors.js';
import { type Codec, type CodecContext, jsonCodec } from '../protocol/codec.js';
import { StoredTexts } from '../protocol/stored-texts.js';
import { toWireError, type WireError } from '../protocol/wire-error.js';
import type { Clock } from '../time/clock.js';
import { deferralOf } from '../time/retry-after.js';
import type { TaskReport } from './task-source.js';

/** The outcome of a handler, before it is known whether its lease still holds. */
export type StepOutcome = Pick<TaskReport, 'status' | 'output' | 'error'> & {
  wireError?: WireError;
  /** How long the handler took; undefined if it was not called. */
  tookMs?: number;
};

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** @throws UnreadablePayloadError */
export function readInput(text: string | null, codec: Codec, context?: CodecContext): unknown {
  try {
    return text === null ? null : (codec.decode(text, context) ?? null);
  } catch (cause) {
    throw new UnreadablePayloadError('The input of the step', { cause });
  }
}

/** @throws SerializationError, PayloadTooLargeError */
export function writeOutput(value: unknown, codec: Codec, limit: number, context?: CodecContext): string {
  // Through the codec, too: one that encrypts may refuse to read what is plain.
  const text = encode(value ?? null, codec, context);
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) throw new PayloadTooLargeError('The output of the step', bytes, limit);
  return text;
}

/** Of a step that failed because its output was refused; null if it cannot be stored. */
export function keptOutput(value: unknown, codec: Codec, limit: number, context?: CodecContext): string | null {
  try {
    return writeOutput(value, codec, limit, context);
  } catch {
    return null;
  }
}

/**
 * A failure as the contract writes it; `retryable: false` where another attempt cannot help. `wireError` is the error
 * for people, which is sealed in the answer if the app has a codec of its own.
 */
export function failed(thrown: unknown, texts = PLAIN, context?: CodecContext, clock?: Clock): StepOutcome {
  const { error, retryAfterMs } = asked(thrown, clock);
  const wireError = clean(toWireError(error, texts.rules));
  if (isFinal(error)) wireError.retryable = false;
  if (retryAfterMs !== undefined) wireError.retryAfterMs = retryAfterMs;
  return { status: 'failed', output: null, error: JSON.stringify(texts.seal(wireError, context)), wireError };
}

/** A delay that is invalid is an ordinary failure. */
function asked(thrown: unknown, clock: Clock | undefined): { error: unknown; retryAfterMs?: number | undefined } {
  try {
    return { error: thrown, retryAfterMs: deferralOf(thrown, clock) };
  } catch (error) {
    return { error };
  }
}

const PLAIN = new StoredTexts(jsonCodec);

function encode(value: unknown, codec: Codec, context: CodecContext | undefined): string {
  try {
    return codec.encode(value, context);
  } catch (error) {
    throw new SerializationError('The output of the step', error instanceof Error ? error.message : String(error));
  }
}

/** Replaces characters that no database can store, in all texts of an error and its causes. */
function clean(error: WireError): WireError {
  const clean = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').replace(LONE_SURROGATES, '\uFFFD') : value;
  return JSON.parse(JSON.stringify(error, clean)) as WireError;
}

function isFinal(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  if (
    thrown instanceof SerializationError ||
    thrown instanceof PayloadTooLargeError ||
    thrown instanceof UnreadablePayloadError
  ) {
    return true;
  }
  return (thrown as { retryable?: unknown }).retryable === false || hasNonRetryableClass(thrown);
}

/** Also by name: the error may come from another copy of this package. */
function hasNonRetryableClass(thrown: object): boolean {
  if (thrown instanceof NonRetryableStepError || (thrown as { name?: unknown }).name === 'NonRetryableStepError')
    return true;
  for (let proto: unknown = Object.getPrototypeOf(thrown); proto; proto = Object.getPrototypeOf(proto)) {
    if (proto.constructor?.name === 'NonRetryableStepError') return true;
  }
  return false;
}
