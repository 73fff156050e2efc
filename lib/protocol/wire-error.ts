import { inspect } from 'node:util';
import { boundedText, LONGEST_TEXT } from './log-line.js';

/** An error as the contract's JSON: other languages write `message`, and `code` and `retryable` if they like. */
export interface WireError {
  message: string;
  name?: string;
  code?: string;
  /** False ends the retries of the step. */
  retryable?: boolean;
  /** What it came of: of a compensation that gave up, the error that had ended the run. */
  cause?: WireError;
}

/** In bytes: names and codes are words. */
const LONGEST_WORD = 1_024;
/** How many causes of an error are kept, one behind the other. */
const MOST_CAUSES = 8;

const word = (value: unknown): string => boundedText(String(value), LONGEST_WORD);

/**
 * Whatever was thrown, as data: also `throw undefined`, errors of other realms and errors with unusual fields. Its texts
 * are bounded, so that it can be stored whatever it says.
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
    return { name: 'Error', message: 'Thrown: a value that has no text' };
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isCode = (code: unknown): code is string | number => typeof code === 'string' || typeof code === 'number';

/** Reads the contract's error text, whoever wrote it. Anything unreadable becomes the message; its texts are bounded. */
export function parseWireError(text: string | null): WireError {
  if (text === null) return { message: 'The worker reported a failure without an error' };
  return wireErrorOf(asRecord(text), text, MOST_CAUSES);
}

/** The contract's error text as it may be stored again: as it came, unless it is longer than an error of ours can be. */
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
