import { InvalidArgumentError, UnknownOptionError } from '../errors/argument-errors.js';
import { nearest } from './nearest.js';

/**
 * The names of all options of a type. Stated beside the type with `satisfies`, so that the compiler rejects a list that
 * lacks an option or has another one. An option that is an object may have a list of its own.
 *
 * @example const RESULT_OPTIONS = { timeout: true } satisfies KnownOptions<ResultOptions>;
 */
export type KnownOptions<Options> = {
  readonly [Name in keyof Options]-?: true | KnownOptions<Extract<NonNullable<Options[Name]>, object>>;
};

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
