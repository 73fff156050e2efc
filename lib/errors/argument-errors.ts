import { DurableError } from './durable-error.js';

/** An argument or option is invalid. Nothing was written. */
export class InvalidArgumentError extends DurableError {
  readonly code: string = 'INVALID_ARGUMENT';

  constructor(
    readonly argument: string,
    readonly value: unknown,
    expected: string,
    message = `${argument} is ${describe(value)}: pass ${expected}`,
  ) {
    super(message);
  }
}

/** An option has a name that is not known, for example because of a typing error. Nothing was written. */
export class UnknownOptionError extends InvalidArgumentError {
  override readonly code = 'UNKNOWN_OPTION';

  constructor(
    /** What got the option: a function, a decorator, or an option that is an object. */
    readonly location: string,
    /** The name that is not known. */
    readonly option: string,
    /** Known names that may have been meant, the likeliest first. */
    readonly nearest: readonly string[],
    /** All names that are known there. */
    readonly known: readonly string[],
    /** What to do, if it is none of these. */
    remedy?: string,
  ) {
    const guess = nearest.length > 0 && `did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}? `;
    const hint = remedy ?? `${guess || ''}The options are ${known.join(', ')}`;
    super(location, option, '', `${location} has no option "${option}": ${hint}`);
  }
}

/** What a schema did not accept. */
export interface ValidationIssue {
  /** What kind of issue it is, in the words of the schema's library; `'invalid'` if it has none. */
  readonly code: string;
  /** The keys that lead to the value; empty for the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A value does not match its schema. Nothing was written. A remote step that throws it is not retried. */
export class ValidationError extends DurableError {
  readonly code = 'VALIDATION_FAILED';
  readonly retryable = false;

  constructor(
    readonly what: string,
    readonly issues: readonly ValidationIssue[],
  ) {
    const listed = issues.slice(0, MOST_ISSUES).map(({ path, message }) => [path.join('.'), message].filter(Boolean));
    const more = issues.length > MOST_ISSUES ? `; and ${issues.length - MOST_ISSUES} more` : '';
    super(`${what} is not valid: ${listed.map((parts) => parts.join(': ')).join('; ')}${more}`);
  }
}

/** How many issues a message lists. */
const MOST_ISSUES = 10;

/** What a remote step returned does not match its schema, although its work is done. The step keeps the value. */
export class RefusedOutputError extends ValidationError {
  /** Not enumerable: it is stored as an output, never as a part of an error. */
  declare readonly output: unknown;

  constructor(what: string, issues: readonly ValidationIssue[], output: unknown) {
    super(what, issues);
    Object.defineProperty(this, 'output', { value: output });
  }
}

/** The `transaction` is not an open transaction of the app's ORM. Extends `TypeError`, since it is a wrong argument. */
export class InvalidTransactionError extends TypeError {
  readonly code = 'INVALID_TRANSACTION';
  override readonly name = 'InvalidTransactionError';
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'a function' : String(value);
  return `a ${value.constructor?.name ?? 'object'}`;
}
