import { InvalidArgumentError } from '../errors.js';
import { given } from './given-options.js';

/** Checks what the configuration says of each name. @throws InvalidArgumentError that names the option */
export function checkOverrides<Options>(
  overrides: Readonly<Record<string, Options>>,
  option: string,
  check: (options: Options, what: string) => void,
): void {
  if (!isRecord(overrides)) throw new InvalidArgumentError(option, overrides, 'an object with options by name');
  for (const [name, options] of Object.entries(overrides)) {
    const what = `${option}['${name}']`;
    if (!isRecord(options)) throw new InvalidArgumentError(what, options, 'an object with options');
    check(options, what);
  }
}

/** What a decorator says, with what the configuration says in its place; what is undefined there says nothing. */
export function overridden<Declared extends object, Options extends object>(
  declared: Declared,
  overrides: Readonly<Record<string, Options>>,
  name: string,
): Declared & Options {
  const options = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  return { ...declared, ...given(options) } as Declared & Options;
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
