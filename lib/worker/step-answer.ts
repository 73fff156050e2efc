import { NonRetryableStepError, PayloadTooLargeError, SerializationError, UnreadablePayloadError } from '../errors.js';
import type { Codec } from '../protocol/codec.js';
import { toWireError, type WireError } from '../protocol/wire-error.js';
import type { TaskReport } from './task-source.js';

/** The outcome of a handler, before it is known whether its lease still holds. */
export type StepOutcome = Pick<TaskReport, 'status' | 'output' | 'error'> & { wireError?: WireError };

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** @throws UnreadablePayloadError */
export function readInput(text: string | null, codec: Codec): unknown {
  try {
    return text === null ? null : (codec.decode(text) ?? null);
  } catch (cause) {
    throw new UnreadablePayloadError('The input of the step', { cause });
  }
}

/** @throws SerializationError, PayloadTooLargeError */
export function writeOutput(value: unknown, codec: Codec, limit: number): string {
  const text = value === undefined ? 'null' : encode(value, codec);
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) throw new PayloadTooLargeError('The output of the step', bytes, limit);
  return text;
}

/** A failure as the contract writes it; `retryable: false` where another attempt cannot help. */
export function failed(thrown: unknown): StepOutcome {
  const error = clean(toWireError(thrown));
  if (isFinal(thrown)) error.retryable = false;
  return { status: 'failed', output: null, error: JSON.stringify(error), wireError: error };
}

function encode(value: unknown, codec: Codec): string {
  try {
    return codec.encode(value);
  } catch (error) {
    throw new SerializationError('The output of the step', error instanceof Error ? error.message : String(error));
  }
}

/** Replaces characters that no database can store. */
function clean({ name, message, code }: WireError): WireError {
  const text = (value: string) => value.replaceAll('\0', '\uFFFD').replace(LONE_SURROGATES, '\uFFFD');
  return {
    ...(name ? { name: text(name) } : {}),
    message: text(message),
    ...(code === undefined ? {} : { code: text(code) }),
  };
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
