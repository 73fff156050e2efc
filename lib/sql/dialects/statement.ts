/** What a parameter may be: everything else behaves differently from driver to driver. */
export type SqlValue = string | number | bigint | boolean | null;

/** A statement whose values are kept apart from its text until a dialect renders it. */
export class Statement {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly SqlPart[],
  ) {}
}

export class Identifier {
  constructor(readonly name: string) {}
}

export type SqlPart = SqlValue | Statement | Identifier;

/**
 * Values become parameters, statements nest, identifiers are quoted. PostgreSQL takes the type of a value from its
 * surroundings; where there are only other values (`${a} - ${b}`), write `CAST(${a} AS …)`.
 */
export function sql(strings: TemplateStringsArray, ...values: SqlPart[]): Statement {
  return new Statement(strings, values);
}

export function id(name: string): Identifier {
  return new Identifier(name);
}

/** Text of our own, written as it is: keywords and literals, never anything from outside. */
export function raw(text: string): Statement {
  return new Statement([text], []);
}

/** A whole number of our own, written as it is. */
export const int = (value: number): Statement => raw(String(Math.trunc(value)));

/** `a, b, c`. */
export function join(parts: readonly SqlPart[], separator = ', '): Statement {
  if (parts.length === 0) return new Statement([''], []);
  return new Statement(['', ...Array<string>(parts.length - 1).fill(separator), ''], parts);
}

/** `(?, ?, ?)`. An empty list matches nothing. */
export function list(values: readonly SqlPart[]): Statement {
  return values.length === 0 ? raw('(NULL)') : sql`(${join(values)})`;
}
