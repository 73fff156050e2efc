import { InvalidArgumentError } from '../errors/argument-errors.js';
import { UnknownEffectHandlerError } from '../errors/effect-errors.js';
import { PayloadTooLargeError, SerializationError } from '../errors/payload-errors.js';
import type { Codec, CodecContext } from '../protocol/codec.js';
import {
  EFFECT_CALL,
  EFFECT_OPERATION,
  type EffectCall,
  type EffectOperation,
  type NewEffect,
} from './effect-entry.js';
import { checkedOptions } from '../options/known-options.js';

export interface OperationRules {
  readonly codec: Codec;
  /** The maximum size of one payload, in bytes of JSON. */
  readonly payloadBytes: number;
  /** Whether some process serves a handler of this name. Default: all names are accepted. */
  readonly knows?: ((handler: string) => boolean) | undefined;
}

const LONGEST_NAME = 191;
const LONGEST_SUBJECT = 255;
const LARGEST_REF = 8_192;

/**
 * Checks an operation and returns its calls as they are stored, without ids. `context`: what is known of the run that
 * makes them.
 *
 * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError, naming the call.
 */
export function checkedOperation(
  given: EffectOperation,
  rules: OperationRules,
  context: CodecContext = {},
): Omit<NewEffect, 'entryId'>[] {
  if (typeof given !== 'object' || given === null)
    throw new InvalidArgumentError('operation', given, 'an object with operation, subject and calls');
  const { calls } = checkedOptions(given, EFFECT_OPERATION, 'The operation');
  const operation = checkedText('operation', given.operation, LONGEST_NAME);
  const subject = checkedText('subject', given.subject, LONGEST_SUBJECT);
  if (!Array.isArray(calls)) throw new InvalidArgumentError('calls', calls, 'a list of { handler, ref, payload? }');
  const seen = new Set<string>();
  return calls.map((call: EffectCall, n) => {
    const { key, ...checked } = checkedCall(call, `calls[${n}]`, rules, { ...context, subject });
    if (seen.has(key))
      throw new InvalidArgumentError(`calls[${n}]`, call, 'each handler and ref once: an earlier call has the same');
    seen.add(key);
    return { operation, subject, ...checked };
  });
}

function checkedCall(
  call: EffectCall,
  what: string,
  { codec, payloadBytes, knows }: OperationRules,
  context: CodecContext,
) {
  if (typeof call !== 'object' || call === null)
    throw new InvalidArgumentError(what, call, 'an object with handler and ref');
  checkedOptions(call, EFFECT_CALL, what);
  const handler = checkedText(`${what}.handler`, call.handler, LONGEST_NAME);
  if (knows && !knows(handler)) throw new UnknownEffectHandlerError(handler);
  const { ref, payload } = call;
  if (ref === undefined || ref === null || ref === '')
    throw new InvalidArgumentError(`${what}.ref`, ref, 'a string, a number or a small object that identifies it');
  const encode = (value: unknown) => codec.encode(value, context);
  const plain = encoded(`${what}.ref`, ref, LARGEST_REF, encode);
  return {
    handler,
    ref: plain,
    payload: payload === undefined ? null : encoded(`${what}.payload`, payload, payloadBytes, encode),
    // Not the codec's text: it may differ for equal values, for example when it is encrypted.
    key: `${handler}\n${JSON.stringify(ref, sortedFields)}`,
  };
}

/** Makes the result independent of the order of fields. */
const sortedFields = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function encoded(what: string, value: unknown, most: number, encode: (value: unknown) => string): string {
  const text = textOf(what, value, encode);
  const bytes = Buffer.byteLength(text);
  if (bytes > most) throw new PayloadTooLargeError(what, bytes, most);
  return text;
}

function textOf(what: string, value: unknown, encode: (value: unknown) => string): string {
  try {
    return encode(value);
  } catch (error) {
    throw new SerializationError(what, error instanceof Error ? error.message : String(error));
  }
}

function checkedText(what: string, text: unknown, longest: number): string {
  // Length in code points, as the databases count. Lone surrogates (Cs) cannot be stored as text.
  if (typeof text === 'string' && text !== '' && [...text].length <= longest && !/[\p{Cc}\p{Cs}]/u.test(text))
    return text;
  throw new InvalidArgumentError(what, text, `a string of 1 to ${longest} characters, without control characters`);
}
