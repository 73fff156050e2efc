import { brand } from '../core/brand.js';
import type { Within } from './transaction-parts.js';

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

/** An index of a table, as a migration names it. */
export const indexOf = ({ name }: Identifier, suffix: string): Identifier => id(`${name}_${suffix}`);

/** Our own text, inserted unchanged: keywords and literals, never external input. */
export function raw(text: string): Statement {
  const strings = raws.get(text) ?? remember(raws, text, [text]);
  return new Statement(strings, []);
}

/** As `raw`, for a text that is hardly ever written again: no statement with it is remembered. */
export const inline = (text: string): Statement => new Statement([text], []);

type Literals = readonly string[];

/** Like those of a template, the literals of `raw` and `join` are the same objects at each call. */
const raws = new Map<string, Literals>();
const joints = new Map<string, Literals>();
const templates = new Map<string, Literals>();
const MOST_REMEMBERED = 2_000;

/** Once there are too many, all begin anew. */
function remember(known: Map<string, Literals>, key: string, literals: string[]): Literals {
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(key, Object.freeze(literals));
  return literals;
}

/** Our own whole number, inserted unchanged. */
export const int = (value: number): Statement => raw(String(Math.trunc(value)));

/** Lists of more parts are rarely as long again. */
const MOST_JOINED = 128;

/** `a, b, c`. */
export function join(parts: readonly SqlPart[], separator = ', '): Statement {
  if (parts.length === 0) return raw('');
  const key = `${parts.length} ${separator}`;
  const literals = () => ['', ...Array<string>(parts.length - 1).fill(separator), ''];
  if (parts.length > MOST_JOINED) return new Statement(literals(), parts);
  return new Statement(joints.get(key) ?? remember(joints, key, literals()), parts);
}

/** A statement of these values, whose literals are made once for each `key`. */
export const templated = (key: string, literals: () => string[], values: readonly SqlValue[]): Statement =>
  new Statement(templates.get(key) ?? remember(templates, key, literals()), values);

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

/** Numbers of literals that stay: frozen ones, as those of templates are. */
const numbers = new WeakMap<Literals, number>();
let count = 0;

function numberOf(strings: Literals): number | undefined {
  let number = numbers.get(strings);
  if (number === undefined && Object.isFrozen(strings)) numbers.set(strings, (number = count++));
  return number;
}

/** Tells where it ends, whatever is in it. */
const spelled = (name: string): string => `"${name.length}:${name}`;

/**
 * The values of a statement, and all the rest of it as a short text: statements of the same shape are written the same.
 * Undefined if a part of it was made for this statement alone.
 */
export function shapeOf(statement: Statement): { shape: string | undefined; params: SqlValue[] } {
  const params: SqlValue[] = [];
  let shape: string | undefined = '';
  const add = ({ strings, values }: Statement): void => {
    const number = numberOf(strings);
    if (number === undefined) shape = undefined;
    if (shape !== undefined) shape += `(${number}`;
    for (let at = 0; at < strings.length - 1; at++) {
      const value = values[at] ?? null;
      if (typeof value !== 'object' || value === null) {
        params.push(value);
        if (shape !== undefined) shape += ',';
      } else if (value instanceof Statement) add(value);
      else if (shape !== undefined) shape += spelled(value.home?.schema ?? '') + spelled(value.name);
    }
  };
  add(statement);
  return { shape, params };
}

/** How a dialect writes what is not text. */
export interface Spelling {
  readonly placeholder: (position: number) => string;
  readonly quote: (identifier: string) => string;
}

export interface RenderedStatement {
  text: string;
  params: SqlValue[];
  /** The transaction outside of which it must not be sent. */
  within?: Within;
}

/** The texts of one dialect, by the shapes of their statements. */
class KeptTexts {
  private static readonly MOST_CHARACTERS = 4_000_000;
  private readonly byShape = new Map<string, string>();
  private characters = 0;

  of(shape: string): string | undefined {
    return this.byShape.get(shape);
  }

  /** Once there are too many, all begin anew: those that are written again and again are back at once. */
  keep(shape: string, text: string): void {
    if (this.characters > KeptTexts.MOST_CHARACTERS) {
      this.byShape.clear();
      this.characters = 0;
    }
    this.byShape.set(shape, text);
    this.characters += shape.length + text.length;
  }
}

const keptTexts = new WeakMap<object, KeptTexts>();

function keptOf(dialect: object): KeptTexts {
  let kept = keptTexts.get(dialect);
  if (!kept) {
    kept = new KeptTexts();
    keptTexts.set(dialect, kept);
  }
  return kept;
}

/** A text is put together once for each shape; afterwards it is the same string, which need not be read to find its plan. */
export function render(statement: Statement, dialect: Spelling): RenderedStatement {
  const { shape, params } = shapeOf(statement);
  if (shape === undefined) return { text: textOf(statement, dialect), params };
  const kept = keptOf(dialect);
  let text = kept.of(shape);
  if (text === undefined) {
    // In one piece: a string that was concatenated is put together when it is first read.
    text = Buffer.from(textOf(statement, dialect)).toString();
    kept.keep(shape, text);
  }
  return { text, params };
}

function textOf(statement: Statement, dialect: Spelling): string {
  let count = 0;
  const write = (value: SqlPart): string => {
    if (typeof value !== 'object' || value === null) return dialect.placeholder(++count);
    return value instanceof Statement ? flatten(value) : quoted(value, dialect);
  };
  const flatten = ({ strings, values }: Statement): string =>
    strings.reduce((text, part, i) => text + write(values[i - 1] ?? null) + part);
  return flatten(statement);
}

function quoted({ name, home }: Identifier, { quote }: Spelling): string {
  return home?.schema === undefined ? quote(name) : `${quote(home.schema)}.${quote(name)}`;
}
