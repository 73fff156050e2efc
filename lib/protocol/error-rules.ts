import { boundedText } from './log-line.js';

/** What `redact` receives and returns: one error of a chain, without the others. */
export interface RedactableError {
  name: string;
  message: string;
  code?: string;
  stack?: string;
}

/** What of an error is recorded. */
export interface ErrorRules {
  /** Default false. */
  stack?: boolean;
  /** Called for each error of a chain before it is written or logged. Default: nothing is changed. */
  redact?: ((error: RedactableError) => RedactableError) | undefined;
}

/** The limit for names and codes, and for a stack from `redact`; in bytes. */
const LONGEST_WORD = 1_024;
const LONGEST_STACK = 8_192;

export const word = (value: unknown): string => boundedText(String(value), LONGEST_WORD);

export const isCode = (code: unknown): code is string | number => typeof code === 'string' || typeof code === 'number';

const HIDDEN: RedactableError = {
  name: 'Error',
  message: 'This error is not shown: errors.redact threw, or returned no error',
};

/** One error as the app wants it to be seen; a `redact` that fails reveals nothing. */
export function redacted(error: RedactableError, { redact }: ErrorRules): RedactableError {
  if (!redact) return error;
  try {
    const { name, message, code, stack } = redact({ ...error });
    if (typeof name !== 'string' || typeof message !== 'string') return HIDDEN;
    return {
      name: word(name),
      message: boundedText(message),
      ...(isCode(code) ? { code: word(code) } : {}),
      ...(typeof stack === 'string' ? { stack: boundedText(stack, LONGEST_STACK) } : {}),
    };
  } catch {
    return HIDDEN;
  }
}
