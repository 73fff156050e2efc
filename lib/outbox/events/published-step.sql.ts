import type { Dialect } from '../../sql/dialect.js';
import type { SchemaStep } from '../../sql/migrations/migration.js';
import { id, join, raw, sql, type Statement } from '../../sql/statement.js';

/** A step that names what it makes, for whoever has to make it by other means. */
export interface PublishedStep extends SchemaStep {
  /** `index "outbox_pending"`. */
  readonly what: string;
  /** Has a row when nothing is left to do. */
  readonly done: Statement;
  /** Only where a table was there before. */
  readonly onAdoption?: true;
}

/** Without a schema: where the connection is. */
export const qualified = (schema: string, name: string): Statement =>
  schema === '' ? sql`${id(name)}` : sql`${id(schema)}.${id(name)}`;

/** Text of SQL as a literal: DDL and the bodies of functions have no parameters. Names are checked before. */
export const literal = (dialect: Pick<Dialect, 'family'>, text: string): Statement => {
  const quoted = text.replaceAll("'", "''");
  return raw(dialect.family === 'postgres' ? `'${quoted}'` : `'${quoted.replaceAll('\\', '\\\\')}'`);
};

/** The steps that are done, by their place: a row each. */
export const selectDone = (steps: readonly PublishedStep[]): Statement =>
  join(
    steps.map(({ done }, i) => sql`SELECT ${raw(String(i))} AS step FROM (${done}) AS found`),
    ' UNION ALL ',
  );
