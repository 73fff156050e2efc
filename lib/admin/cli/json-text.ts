import { jsonCodec } from '../../protocol/codec.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';

/** Control characters that JSON leaves as they are; a terminal acts on them. */
const CONTROLS = /[\u007f-\u009f]/g;

/** Complete: what JSON does not have, such as a BigInt, is written as the default codec writes it. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, one: unknown) => (isForeign(one) ? (JSON.parse(jsonCodec.encode(one)) as unknown) : one),
    2,
  ).replaceAll(CONTROLS, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

function isForeign(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'bigint' || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value);
}

/** A value that was given as JSON, as the default codec reads it. @throws InvalidArgumentError */
export function valueOf(argument: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return jsonCodec.decode(text);
  } catch {
    throw new InvalidArgumentError(argument, text, 'JSON');
  }
}
