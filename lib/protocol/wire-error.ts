import { inspect } from 'node:util';

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

/** Whatever was thrown, as data: also `throw undefined`, errors of other realms and errors with unusual fields. */
export function toWireError(thrown: unknown): WireError {
  try {
    if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) {
      return { name: 'Error', message: textOf(thrown) };
    }
    const { name, message, code } = thrown as { name?: unknown; message: unknown; code?: unknown };
    return {
      name: typeof name === 'string' ? name : 'Error',
      message: String(message),
      ...(isCode(code) ? { code: String(code) } : {}),
    };
  } catch {
    return { name: 'Error', message: 'Thrown: a value that has no text' };
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isCode = (code: unknown): code is string | number => typeof code === 'string' || typeof code === 'number';

/** Reads the contract's error text, whoever wrote it. Anything unreadable becomes the message. */
export function parseWireError(text: string | null): WireError {
  if (text === null) return { message: 'The worker reported a failure without an error' };
  return wireErrorOf(asRecord(text), text);
}

function wireErrorOf({ message, name, code, retryable, cause }: Record<string, unknown>, text: string): WireError {
  return {
    message: typeof message === 'string' ? message : text,
    ...(typeof name === 'string' ? { name } : {}),
    ...(isCode(code) ? { code: String(code) } : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(isRecord(cause) ? { cause: wireErrorOf(cause, '') } : {}),
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
