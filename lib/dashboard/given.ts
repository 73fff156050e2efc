import { InvalidArgumentError } from '../errors/argument-errors.js';

/** The query or the body of a request: unchecked values by name. Each reader throws an InvalidArgumentError. */
export class Given {
  private constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly what: string,
  ) {}

  /** @throws InvalidArgumentError for a name that is not in `known` */
  static of(values: unknown, known: readonly string[], what: string): Given {
    if (values !== undefined && (typeof values !== 'object' || values === null || Array.isArray(values)))
      throw new InvalidArgumentError(what, values, 'an object');
    const given = { ...values } as Record<string, unknown>;
    for (const name of Object.keys(given))
      if (!known.includes(name))
        throw new InvalidArgumentError(`${what}: ${name}`, given[name], `one of ${known.join(', ')}`);
    return new Given(given, what);
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** Any JSON value. */
  raw(name: string): unknown {
    return this.values[name];
  }

  text(name: string): string | undefined {
    return this.read(name, 'a text without NUL', (value) =>
      typeof value === 'string' && !value.includes('\0') ? value : undefined,
    );
  }

  /** A whole number, also as the text of a query. */
  number(name: string): number | undefined {
    return this.read(name, 'a whole number', (value) => {
      const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
      return Number.isSafeInteger(number) ? (number as number) : undefined;
    });
  }

  flag(name: string): boolean | undefined {
    return this.read(name, 'true or false', (value) =>
      value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined,
    );
  }

  date(name: string): Date | undefined {
    return this.read(name, 'a time such as 2026-01-02T03:04:05Z', (value) => {
      const date = typeof value === 'string' ? new Date(value) : undefined;
      return date && !Number.isNaN(date.getTime()) ? date : undefined;
    });
  }

  oneOf<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.read(name, `one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value));
  }

  /** Several, separated by commas; whoever takes them checks them. */
  list(name: string): string[] | undefined {
    return this.read(name, 'texts with commas between them', (value) =>
      typeof value === 'string' ? value.split(',') : undefined,
    );
  }

  /** One text or several, as a parameter that is repeated. */
  repeated(name: string): string[] | undefined {
    return this.read(name, 'one text or several', (value) => {
      const texts = Array.isArray(value) ? (value as unknown[]) : [value];
      return texts.every((one) => typeof one === 'string' && !one.includes('\0')) ? (texts as string[]) : undefined;
    });
  }

  texts(name: string): string[] | undefined {
    return this.read(name, 'a list of texts', (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string') ? (value as string[]) : undefined,
    );
  }

  /** @throws InvalidArgumentError if it is missing */
  needed<T>(name: string, value: T | undefined, expected: string): T {
    if (value === undefined) throw new InvalidArgumentError(`${this.what}: ${name}`, value, expected);
    return value;
  }

  private read<T>(name: string, expected: string, reader: (value: unknown) => T | undefined): T | undefined {
    const value = this.values[name];
    if (value === undefined || value === null || value === '') return undefined;
    const read = reader(value);
    if (read === undefined) throw new InvalidArgumentError(`${this.what}: ${name}`, value, expected);
    return read;
  }
}

/** Only what is there: optional properties must not be undefined. */
export const present = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
