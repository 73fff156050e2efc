import { inspect } from 'node:util';
import { boundedText, LONGEST_TEXT } from './log-line.js';

/** An error as JSON of the contract: other languages write `message` and optionally `code` and `retryable`. */
export interface WireError {
  message: string;
  name?: string;
  code?: string;
  /** False ends the retries of the step. */
  retryable?: boolean;
  /** For the failure of a compensation: the error that had ended the run. */
  cause?: WireError;
}

/** The limit for names and codes, in bytes. */
const LONGEST_WORD = 1_024;
/** The limit for the chain of causes of an error. */
const MOST_CAUSES = 8;

const word = (value: unknown): string => boundedText(String(value), LONGEST_WORD);

/**
 * Converts any thrown value to data: also `undefined`, errors of other realms and errors with unusual fields. Its texts
 * are cut to their limits, so that it can always be stored.
 */
export function toWireError(thrown: unknown): WireError {
  try {
    if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) {
      return { name: 'Error', message: boundedText(textOf(thrown)) };
    }
    const { name, message, code } = thrown as { name?: unknown; message: unknown; code?: unknown };
    return {
      name: typeof name === 'string' ? word(name) : 'Error',
      message: boundedText(String(message)),
      ...(isCode(code) ? { code: word(code) } : {}),
    };
  } catch {
    return { name: 'Error', message: 'Thrown: a value that cannot be converted to a string' };
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isCode = (code: unknown): code is string | number => typeof code === 'string' || typeof code === 'number';

/** Parses an error text of the contract. An unreadable text becomes the message; texts are cut to their limits. */
export function parseWireError(text: string | null): WireError {
  if (text === null) return { message: 'The worker reported a failure without an error' };
  return wireErrorOf(asRecord(text), text, MOST_CAUSES);
}

/** Returns an error text that can be stored: unchanged, unless it is longer than the limit for texts. */
export const storedWireError = (text: string | null): string | null =>
  text === null || text.length <= LONGEST_TEXT ? text : JSON.stringify(parseWireError(text));

function wireErrorOf(
  { message, name, code, retryable, cause }: Record<string, unknown>,
  text: string,
  causes: number,
): WireError {
  return {
    message: boundedText(typeof message === 'string' ? message : text),
    ...(typeof name === 'string' ? { name: word(name) } : {}),
    ...(isCode(code) ? { code: word(code) } : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(isRecord(cause) && causes > 0 ? { cause: wireErrorOf(cause, '', causes - 1) } : {}),
  };
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : { message: value };
  } catch {
    return {};
  }
}

function textOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  return `Thrown: ${typeof thrown === 'object' ? JSON.stringify(thrown) : inspect(thrown)}`;
}
