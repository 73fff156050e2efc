import { inspect } from 'node:util';
import { appFramesFirst, longestStack } from './error-stack.js';
import { type ErrorRules, isCode, redacted, word } from './error-rules.js';
import { FIXED_TEXTS } from './fixed-texts.js';
import { boundedText, LONGEST_TEXT } from './log-line.js';

/** An error as JSON of the contract: other languages write `message`, and optionally any of the other fields. */
export interface WireError {
  message: string;
  name?: string;
  code?: string;
  /** False ends the retries of the step. */
  retryable?: boolean;
  /** The attempt does not count, and the next one follows after this many ms. */
  retryAfterMs?: number;
  /** What it was caused by. For the failure of a compensation: the error that had ended the run. */
  cause?: WireError;
  /** The errors of an `AggregateError`. For the failure of a compensation: its own cause. */
  errors?: WireError[];
  /** The frames, one per line; without the message, and with those of the app first. */
  stack?: string;
  /** The whole error as a text of the app's codec; the other fields then say only what kind of error it is. */
  sealed?: string;
}

/** The limit for the messages of causes, in bytes. */
const LONGEST_CAUSE = 2_048;
/** The depth of a recorded chain of causes, and of one that is read: a failed compensation adds one. */
const DEEPEST = { recorded: 5, read: 8 } as const;
/** The limit for all errors of a chain together. */
const MOST_ERRORS = 16;
/** The limit for the text of a sealed error, in characters. */
const LONGEST_SEALED = 1_048_576;

interface Walk {
  rules: ErrorRules;
  budget: { left: number };
  /** The errors whose cause this is. */
  path: readonly object[];
}

/**
 * Converts any thrown value to data: also `undefined`, errors of other realms and errors with unusual fields. Its texts
 * are cut to their limits, so that it can always be stored.
 */
export const toWireError = (thrown: unknown, rules: ErrorRules = {}): WireError =>
  errorOf(thrown, { rules, budget: { left: MOST_ERRORS }, path: [] });

function errorOf(thrown: unknown, walk: Walk): WireError {
  const { rules, path, budget } = walk;
  budget.left--;
  try {
    if (!isErrorLike(thrown)) return redacted({ name: 'Error', message: bounded(textOf(thrown), walk) }, rules);
    const { name, message, code, stack } = thrown;
    const frames = rules.stack && typeof stack === 'string' ? appFramesFirst(stack, path.length) : '';
    const fields = {
      name: typeof name === 'string' ? word(name) : 'Error',
      message: bounded(String(message), walk),
      ...(isCode(code) ? { code: word(code) } : {}),
      ...(frames ? { stack: frames } : {}),
    };
    return { ...redacted(fields, rules), ...related(thrown, { ...walk, path: [...path, thrown] }) };
  } catch {
    return { name: 'Error', message: 'Thrown: a value that cannot be converted to a string' };
  }
}

/** Its cause, and the errors of an `AggregateError`. */
function related({ cause, errors }: ErrorLike, inside: Walk): Pick<WireError, 'cause' | 'errors'> {
  const next = (value: unknown): WireError[] => {
    const { path, budget } = inside;
    const isTooMuch = budget.left <= 0 || path.length > DEEPEST.recorded || path.includes(value as object);
    return isTooMuch || value === undefined || value === null ? [] : [errorOf(value, inside)];
  };
  const [why] = next(cause);
  const parts = isErrors(errors) ? errors.flatMap(next) : [];
  return { ...(why && { cause: why }), ...(parts.length > 0 && { errors: parts }) };
}

interface ErrorLike {
  name?: unknown;
  message: unknown;
  code?: unknown;
  stack?: unknown;
  cause?: unknown;
  errors?: unknown;
}

const isErrorLike = (thrown: unknown): thrown is ErrorLike =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown;

/** Those of an `AggregateError`; by their form, since a recorded error that is thrown again is none. */
const isErrors = (errors: unknown): errors is unknown[] => Array.isArray(errors) && errors.every(isErrorLike);

const bounded = (text: string, { path }: Walk): string =>
  boundedText(text, path.length === 0 ? LONGEST_TEXT : LONGEST_CAUSE);

/** Of a failed compensation: `cause` is the error that had ended the run, if one had; its own cause is in `errors`. */
export function combinedWithCause(error: WireError, why: WireError | undefined): WireError {
  const { cause: own, errors = [], ...others } = error;
  const all = own ? [own, ...errors] : errors;
  return { ...others, ...(why && { cause: why }), ...(all.length > 0 && { errors: all }) };
}

/** An error that another program has written, as the app wants it to be seen. */
export function redactWireError(wire: WireError, rules: ErrorRules): WireError {
  if (!rules.redact) return wire;
  const { name = 'Error', message, code, stack, cause, errors, ...others } = wire;
  const fields = { name, message, ...(code !== undefined && { code }), ...(stack !== undefined && { stack }) };
  return {
    ...others,
    ...redacted(fields, rules),
    ...(cause && { cause: redactWireError(cause, rules) }),
    ...(errors && { errors: errors.map((one) => redactWireError(one, rules)) }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Parses an error text of the contract. An unreadable text becomes the message; texts are cut to their limits. */
export function parseWireError(text: string | null): WireError {
  if (text === null) return { message: FIXED_TEXTS.none };
  return readWireError(asRecord(text), text);
}

/** An error of the contract that is parsed already; `text` is its message if it has none. */
export const readWireError = (fields: Record<string, unknown>, text = ''): WireError =>
  wireErrorOf(fields, text, { left: 2 * MOST_ERRORS }, 0);

/** Returns an error text that can be stored: unchanged, unless it is longer than the limit for texts. */
export const storedWireError = (text: string | null): string | null =>
  text === null || text.length <= LONGEST_TEXT ? text : JSON.stringify(parseWireError(text));

function wireErrorOf(
  fields: Record<string, unknown>,
  text: string,
  budget: { left: number },
  depth: number,
): WireError {
  const { message, name, code, retryable, retryAfterMs, cause, errors, stack, sealed } = fields;
  budget.left--;
  const next = (inner: unknown): WireError[] =>
    isRecord(inner) && depth < DEEPEST.read && budget.left > 0 ? [wireErrorOf(inner, '', budget, depth + 1)] : [];
  const [why] = next(cause);
  const parts = Array.isArray(errors) ? errors.flatMap(next) : [];
  return {
    message: boundedText(typeof message === 'string' ? message : text, depth === 0 ? LONGEST_TEXT : LONGEST_CAUSE),
    ...(typeof name === 'string' ? { name: word(name) } : {}),
    ...(isCode(code) ? { code: word(code) } : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? { retryAfterMs } : {}),
    ...(typeof stack === 'string' && stack !== '' ? { stack: boundedText(stack, longestStack(depth)) } : {}),
    ...(why && { cause: why }),
    ...(parts.length > 0 && { errors: parts }),
    ...(typeof sealed === 'string' && sealed.length <= LONGEST_SEALED ? { sealed } : {}),
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
