import type { CliEnvironment } from './cli-environment.js';
import { jsonText } from './json-text.js';
import { type Columns, tableOf, visible } from './table.js';

export type Format = 'table' | 'json' | 'ids';

export const FORMATS: readonly Format[] = ['table', 'json', 'ids'];

interface Listing<Row> {
  columns: Columns<Row>;
  idOf: (row: Row) => string;
  /** What is said if there are no rows. */
  none: string;
  /** For the next page. */
  cursor?: string | undefined;
  /** False: there is more, and no next page. */
  complete?: boolean;
  /** In JSON, in place of the rows. */
  json?: unknown;
}

/** Prints results in the format that was asked for; words about them go elsewhere. */
export class Printer {
  constructor(
    private readonly environment: Pick<CliEnvironment, 'out' | 'err' | 'paint'>,
    readonly format: Format,
  ) {}

  list<Row>(rows: readonly Row[], { columns, idOf, none, cursor, complete = true, json = rows }: Listing<Row>): void {
    if (this.format === 'json') return this.json(json);
    if (this.format === 'ids') for (const id of new Set(rows.map(idOf))) this.out(id);
    else if (rows.length === 0) this.words(none);
    else this.table(tableOf(rows, columns));
    if (cursor !== undefined) this.words(`There is more: the same command with --cursor ${cursor}`);
    else if (!complete) this.words(`There is more: these are the first ${rows.length}, see --limit`);
  }

  /** A thing, told in lines. */
  one(thing: unknown, id: string, lines: readonly string[]): void {
    if (this.format === 'json') return this.json(thing);
    for (const line of this.format === 'ids' ? [id] : lines.map(visible)) this.out(line);
  }

  /** What a change did; in a table these are words, with the changed ids as the result. */
  changed(result: unknown, ids: readonly string[], words: string): void {
    if (this.format === 'json') this.json(result);
    else if (this.format === 'ids') ids.forEach((id) => this.out(id));
    else this.out(visible(words));
  }

  /** What a change of several things did, told in a line for each. */
  gathered(result: unknown, ids: readonly string[], lines: readonly string[]): void {
    if (this.format === 'json') this.json(result);
    else for (const line of this.format === 'ids' ? ids : lines.map(visible)) this.out(line);
  }

  table([titles = '', ...lines]: readonly string[]): void {
    const { paint = (_, text) => text } = this.environment;
    for (const line of [paint('bold', titles), ...lines]) this.out(line);
  }

  json(value: unknown): void {
    this.out(jsonText(value));
  }

  out(line: string): void {
    this.environment.out(line);
  }

  words(line: string): void {
    this.environment.err(visible(line));
  }
}
