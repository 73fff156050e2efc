import { brand } from '../core/brand.js';

/** The types of a parameter: all others differ between drivers. */
export type SqlValue = string | number | bigint | boolean | null;

/** A statement that keeps its values separate from its text until a dialect renders it. */
export class Statement {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly SqlPart[],
  ) {}
}

/**
 * Where tables are: a schema of PostgreSQL, a database of MySQL and MariaDB. A name with a home is written with its
 * schema, so that neither a `search_path` nor a `USE` in the caller's transaction leads to other tables of this name.
 */
export interface Home {
  /** Undefined until it was looked up, see `findHome`: then the connection decides. */
  schema: string | undefined;
}

export class Identifier {
  constructor(
    readonly name: string,
    readonly home?: Home,
  ) {}
}

// Also of another copy of this package, in which a custom executor may be.
brand({ Statement, Identifier });

export type SqlPart = SqlValue | Statement | Identifier;

/**
 * Values become parameters, statements nest, identifiers are quoted. PostgreSQL infers the type of a value from its
 * context; next to other values only (`${a} - ${b}`), write `CAST(${a} AS …)`.
 */
export function sql(strings: TemplateStringsArray, ...values: SqlPart[]): Statement {
  return new Statement(strings, values);
}

/** `home`: only for a table. */
export function id(name: string, home?: Home): Identifier {
  return new Identifier(name, home);
}

/** Our own text, inserted unchanged: keywords and literals, never external input. */
export function raw(text: string): Statement {
  return new Statement([text], []);
}

/** Our own whole number, inserted unchanged. */
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

/** The same statement, without statements inside of it. */
export function flattened(statement: Statement): Statement {
  const strings = [''];
  const values: SqlPart[] = [];
  const add = ({ strings: texts, values: parts }: Statement): void =>
    texts.forEach((text, at) => {
      strings[strings.length - 1] += text;
      const part = parts[at];
      if (part instanceof Statement) add(part);
      else if (part !== undefined) {
        values.push(part);
        strings.push('');
      }
    });
  add(statement);
  return new Statement(strings, values);
}
