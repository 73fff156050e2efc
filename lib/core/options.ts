import { InvalidArgumentError, UnknownOptionError } from './errors.js';
import { backoffMs, backoffOf, type BackoffOptions, type Duration, toMs } from './time.js';

/**
 * The names of all options of a type. Stated beside the type with `satisfies`, so that the compiler rejects a list that
 * lacks an option or has another one. An option that is an object may have a list of its own.
 *
 * @example const RESULT_OPTIONS = { timeout: true } satisfies KnownOptions<ResultOptions>;
 */
export type KnownOptions<Options> = {
  readonly [Name in keyof Options]-?: true | KnownOptions<Extract<NonNullable<Options[Name]>, object>>;
};

/** Omits options whose value is undefined, for example because a variable is not set. */
export const defined = <Options extends object>(options: Options | undefined): Defined<Options> =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)) as Defined<Options>;

type Defined<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

type Names = Readonly<Record<string, unknown>>;

/**
 * Returns the options. Refuses what is no object, and names that are not known. `what` names the call in errors, such as
 * `start`; undefined options are valid.
 *
 * @throws InvalidArgumentError, UnknownOptionError
 */
export function checkedOptions<Options extends object | undefined>(
  options: Options,
  known: Record<keyof NonNullable<Options>, unknown>,
  what: string,
): Options {
  if (options === undefined) return options;
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new InvalidArgumentError(`The options of ${what}`, options, `an object: { ${listed(known)} }`);
  refuseUnknown(options, known, what);
  return options;
}

/** Where an object is only one of the forms of an option, its own check says what else is wrong. */
function refuseUnknown(options: object, known: Names, what: string): void {
  // Inherited options count, too; methods of classes are not enumerable.
  for (const name in options) {
    const list = Object.hasOwn(known, name) ? known[name] : undefined;
    if (list === undefined) throw new UnknownOptionError(what, name, meant(name, known), Object.keys(known));
    const value: unknown = list === true ? undefined : (options as Names)[name];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      refuseUnknown(value, list as Names, `${what}: ${name}`);
  }
}

/** Also an option of an option, where somebody looked for it one level too high. */
function meant(given: string, known: Names): string[] {
  const own = nearest(given, Object.keys(known));
  const inner = Object.entries(known).filter(([, list]) => Object.hasOwn(list as object, given));
  return [...inner.map(([name]) => `${name}.${given}`), ...own];
}

const listed = (known: object): string => Object.keys(known).join(', ');

/**
 * The names that somebody may have meant, the nearest first, at most three: those that a typing error or two make of the
 * given one, in any case, and those that contain it, are contained in it or begin alike.
 */
export function nearest(given: string, names: readonly string[]): string[] {
  const wanted = given.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

const LEAST_IN_COMMON = 4;

function distanceOf(a: string, b: string, most: number): number {
  const isPart = Math.min(a.length, b.length) >= LEAST_IN_COMMON && (a.includes(b) || b.includes(a));
  const beginsAlike = a.length >= LEAST_IN_COMMON && b.startsWith(a.slice(0, LEAST_IN_COMMON));
  const distance = edits(a, b);
  return isPart || beginsAlike ? Math.min(distance, most) : distance;
}

/** How many letters have to be inserted, removed, replaced or swapped with their neighbour to make `b` of `a`. */
function edits(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const [above, left, diagonal] = [rows[i - 1]![j]!, row[j - 1]!, rows[i - 1]![j - 1]!];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1), swapped));
    }
    rows.push(row);
  }
  return rows.at(-1)![b.length]!;
}

/** @throws InvalidArgumentError */
export function checkWhole(value: unknown, what: string, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)) return;
  throw new InvalidArgumentError(what, value, `a whole number of at least ${least}`);
}

/** A whole number from 1. @throws InvalidArgumentError */
export function checkedLimit(limit: unknown, most: number, what = 'limit'): number {
  if (Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= most) return limit as number;
  throw new InvalidArgumentError(what, limit, `a whole number from 1 to ${most}`);
}

/** @throws InvalidArgumentError */
export function checkedOneOf<T extends string>(given: T, all: readonly T[], what: string): T {
  if (all.includes(given)) return given;
  throw new InvalidArgumentError(what, given, `one of ${all.join(', ')}`);
}

/** Where a list goes on, as a text for its caller. */
export const cursorText = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** @throws InvalidArgumentError when the text is not from {@link cursorText}, or its position is not meant. */
export function readCursor<Position>(
  cursor: unknown,
  isMeant: (position: Position) => boolean,
  expected = 'the cursor of the previous page',
  what = 'cursor',
): Position {
  try {
    const position = JSON.parse(Buffer.from(cursor as string, 'base64url').toString()) as Position;
    if (isMeant(position)) return position;
  } catch {
    // The error is thrown below.
  }
  throw new InvalidArgumentError(what, cursor, expected);
}

/** Epoch milliseconds. @throws InvalidArgumentError */
export function checkedTime(what: string, time: unknown): number {
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.getTime();
  throw new InvalidArgumentError(what, time, 'a valid Date');
}

/** @throws InvalidArgumentError */
export function checkDuration(value: Duration | undefined, what: string): void {
  if (value === undefined) return;
  const expected = "milliseconds, at least 1, or a string like '500ms', '30s', '5m', '2h', '7d'";
  try {
    if (toMs(value) >= 1) return;
  } catch {
    // The error below names the option.
  }
  throw new InvalidArgumentError(what, value, expected);
}

/** @throws InvalidArgumentError */
export function checkBackoff(backoff: BackoffOptions | Duration | undefined, what: string): void {
  if (backoff === undefined) return;
  if (!['object', 'string', 'number'].includes(typeof backoff) || backoff === null || Array.isArray(backoff))
    throw new InvalidArgumentError(what, backoff, "{ delay, factor, maxDelay, jitter }, or a delay like '5s'");
  const { delay, factor, maxDelay, jitter } = backoffOf(backoff);
  if (jitter !== undefined && jitter !== 'none' && jitter !== 'full' && !(jitter >= 0 && jitter <= 1))
    throw new InvalidArgumentError(`${what}.jitter`, jitter, "'none', 'full', or a number from 0 to 1");
  if (factor !== undefined && typeof factor !== 'number')
    throw new InvalidArgumentError(`${what}.factor`, factor, 'a number of at least 1');
  try {
    backoffMs(1, backoff);
  } catch (error) {
    throw new InvalidArgumentError(what, backoff, `usable options: ${(error as Error).message}`);
  }
  if (delay !== undefined && maxDelay !== undefined && toMs(maxDelay) < toMs(delay))
    throw new InvalidArgumentError(`${what}.maxDelay`, maxDelay, 'at least the delay');
}

/**
 * A schema of zod, valibot, arktype, or any other library that implements Standard Schema v1
 * (https://standardschema.dev). This copy of its interface is all that is needed of it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** For type inference only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** Libraries add fields of their own, such as a code. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
