import type { SchemaStep } from '../../sql/migrations/migration.js';
import { id, int, join, sql, type Statement } from '../../sql/dialects/statement.js';

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

/** The steps that are done, by their place: a row each. */
export const selectDone = (steps: readonly PublishedStep[]): Statement =>
  join(
    steps.map(({ done }, i) => sql`SELECT ${int(i)} AS step FROM (${done}) AS found`),
    ' UNION ALL ',
  );
