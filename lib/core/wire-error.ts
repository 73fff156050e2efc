import { boundedText, LONGEST_TEXT } from './protocol.js';
import { asError } from './thrown.js';

/** An error as JSON of the contract: other languages write `message`, and optionally any of the other fields. */
export interface WireError {
  message: string;
  name?: string;
  code?: string;
  /** False ends the retries of the step. */
  retryable?: boolean;
  /** The attempt does not count, and the next one follows after this many ms. */
  retryAfterMs?: number;
  /** The work is done, and code has to be fixed: see {@link isWithoutOutcome}. What `redact` does to the code is no matter. */
  withoutOutcome?: boolean;
  /** What it was caused by. For the failure of a compensation: the error that had ended the run. */
  cause?: WireError;
  /** The errors of an `AggregateError`. For the failure of a compensation: its own cause. */
  errors?: WireError[];
  /** The frames, one per line; without the message, and with those of the app first. */
  stack?: string;
  /** The whole error as a text of the app's codec; the other fields then say only what kind of error it is. */
  sealed?: string;
}

interface MarkedError {
  name?: string;
  code?: unknown;
  withoutOutcome?: unknown;
}

const WITHOUT_OUTCOME: Readonly<Record<string, string>> = {
  SerializationError: 'NOT_SERIALIZABLE',
  PayloadTooLargeError: 'PAYLOAD_TOO_LARGE',
  ContextMisuseError: 'CONTEXT_MISUSE',
};

/**
 * Whether work was done without an outcome, since code has to be fixed: what it has returned cannot be stored by this
 * process, a worker, or the database, or it has called `ctx`. By class and code, as workers send them: others use the
 * codes, too. An error that was redacted has a mark instead.
 */
export const isWithoutOutcome = ({ name = '', code, withoutOutcome }: MarkedError): boolean =>
  withoutOutcome === true || code === 'REPORT_REFUSED' || (code !== undefined && WITHOUT_OUTCOME[name] === code);

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
  const error: ErrorLike = asError(thrown);
  const { name, message, code, stack } = error;
  const frames = rules.stack && typeof stack === 'string' ? appFramesFirst(stack, path.length) : '';
  const fields = {
    name: typeof name === 'string' ? word(name) : 'Error',
    message: bounded(message, walk),
    ...(isCode(code) ? { code: word(code) } : {}),
    ...(frames ? { stack: frames } : {}),
  };
  const mark = rules.redact && path.length === 0 && isWithoutOutcome(fields) ? MARKED : {};
  return { ...redacted(fields, rules), ...mark, ...related(error, { ...walk, path: [...path, error] }) };
}

const MARKED = { withoutOutcome: true } as const;

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
  message: string;
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
    ...(isWithoutOutcome(wire) && MARKED),
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
  const { message, name, code, retryable, retryAfterMs, withoutOutcome, cause, errors, stack, sealed } = fields;
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
    ...(withoutOutcome === true ? MARKED : {}),
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

const word = (value: unknown): string => boundedText(String(value), LONGEST_WORD);

const isCode = (code: unknown): code is string | number => typeof code === 'string' || typeof code === 'number';

const HIDDEN: RedactableError = {
  name: 'Error',
  message: 'This error is not shown: errors.redact threw, or returned no error',
};

/** One error as the app wants it to be seen; a `redact` that fails reveals nothing. */
function redacted(error: RedactableError, { redact }: ErrorRules): RedactableError {
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

/** The limits of a stored stack: of the error itself, and of a cause. */
const MOST_LINES = { own: 30, cause: 10 } as const;
const LONGEST = { own: 8_192, cause: 2_048 } as const;

/** The limit for a stack, in bytes; `depth` 0 is the error itself. */
const longestStack = (depth: number): number => (depth === 0 ? LONGEST.own : LONGEST.cause);

/** The folder of this package's code, as it appears in stacks: `lib`, or `dist` of the package. */
const OURS = folderOfThis();

/**
 * The frames of a stack, in their order, but those of the app before those of packages, of Node and of this library.
 * Without the message, which may be long and is stored on its own. Node maps the frames to sources if it runs with
 * `--enable-source-maps`.
 */
export function appFramesFirst(stack: string, depth = 0): string {
  const frames = stack.split('\n').flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : []));
  const ofApp = frames.filter(isOfApp);
  const others = frames.filter((frame) => !isOfApp(frame));
  const most = depth === 0 ? MOST_LINES.own : MOST_LINES.cause;
  return boundedText([...ofApp, ...others].slice(0, most).join('\n'), longestStack(depth));
}

const isOfApp = (frame: string): boolean =>
  /[\\/]/.test(frame) && !/[\\/]node_modules[\\/]|\bnode:/.test(frame) && !(OURS !== undefined && frame.includes(OURS));

/** Where in the code of the app it was thrown, or what caused it: `at Order.run (/app/order.ts:12:5)`. */
export function appFrameOf({ stack = '', cause }: WireError): string | undefined {
  const [frame = ''] = stack.split('\n');
  return isOfApp(frame) ? frame : cause && appFrameOf(cause);
}

/** From this function's own frame, because the module format decides how else a module learns where it is. */
function folderOfThis(): string | undefined {
  const [, own = ''] = (new Error('where').stack ?? '').split('\n');
  const [, file] = /\(?((?:file:\/\/|[A-Za-z]:)?[\\/][^()]*):\d+:\d+\)?$/.exec(own) ?? [];
  const folder = file && /^(.*[\\/])[^\\/]+[\\/][^\\/]+$/.exec(file)?.[1];
  return folder ? folder.replace(/^file:\/\//, '') : undefined;
}

/**
 * An error on one line, for people: `TypeError: fetch failed, caused by Error: connect ECONNREFUSED 127.0.0.1:80
 * (ECONNREFUSED)`. For a log: without codes, and each message cut to `most` characters.
 */
export function errorLine(error: WireError, most?: number): string {
  const { cause, errors = [] } = error;
  const also = errors.map((one) => errorLine(one, most)).join('; ');
  const own = `${headOf(error, most)}${also === '' ? '' : ` [${also}]`}`;
  // Many errors repeat the message of their cause.
  if (!cause || (cause.message !== '' && error.message.includes(cause.message) && !cause.cause)) return own;
  return `${own}, caused by ${errorLine(cause, most)}`;
}

function headOf({ name = 'Error', message, code }: WireError, most: number | undefined): string {
  const text = message === '' && code !== undefined ? name : `${name}: ${message.slice(0, most)}`;
  return code === undefined || most !== undefined ? text : `${text} (${code})`;
}

/** The parts of a recorded error that are set on the error that is thrown in its stead. */
export interface RevivedParts {
  /** Ends with the frames of the original, if they were recorded; so it is the same on every replay. */
  stack: string;
  cause?: Error;
  /** Of an `AggregateError`. */
  errors?: readonly Error[];
}

/** A recorded error as an `Error`, with its name, message, code, stack and causes. */
export function revivedError(wire: WireError): Error {
  const { name = 'Error', message, code } = wire;
  const { stack, cause, errors } = revivedParts(wire);
  const error = errors ? new AggregateError(errors, message) : new Error(message);
  hide(error, { name, stack, ...(cause && { cause }) });
  return code === undefined ? error : Object.assign(error, { code });
}

export function revivedParts({ name = 'Error', message, stack, cause, errors }: WireError): RevivedParts {
  const frames =
    stack === undefined
      ? ''
      : stack
          .split('\n')
          .map((frame) => `\n    ${frame}`)
          .join('');
  return {
    stack: `${name}: ${message}${frames}`,
    ...(cause && { cause: revivedError(cause) }),
    ...(errors && { errors: errors.map(revivedError) }),
  };
}

/** Sets fields that are not enumerable, like those of every error. */
function hide<T extends Error>(error: T, fields: Readonly<Record<string, unknown>>): T {
  for (const [key, value] of Object.entries(fields))
    Object.defineProperty(error, key, { value, configurable: true, writable: true, enumerable: false });
  return error;
}

/** Texts in records that we write ourselves, which say nothing of the app: no codec encodes them. */
export const FIXED_TEXTS = {
  sealed: 'Sealed by the codec of the app',
  /** In place of what the codec could not encode, because the key is missing. */
  notEncoded: 'Not stored: the codec of the app could not encode it',
  terminated: 'The run was terminated: nothing was compensated',
  none: 'The worker reported a failure without an error',
} as const;

const ALL: ReadonlySet<string> = new Set(Object.values(FIXED_TEXTS));

export const isFixed = (text: string): boolean => ALL.has(text);
