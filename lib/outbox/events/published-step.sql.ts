import type { SchemaStep } from '../../sql/migrations/schema-steps.js';
import { id, int, join, sql, type Statement } from '../../sql/dialects/statement.js';

/** A step that names the object it creates, for people who create it by other means. */
export interface PublishedStep extends SchemaStep {
  /** For example `index "outbox_pending"`. */
  readonly what: string;
  /** Returns a row when the step is done. */
  readonly done: Statement;
  /** The version of this package that adds it. Default: the first. A step that changes is another step. */
  readonly since?: string;
  /** Set for steps that only an adopted table needs. */
  readonly onAdoption?: true;
}

/** Without a schema, the connection's own applies. */
export const qualified = (schema: string, name: string): Statement =>
  schema === '' ? sql`${id(name)}` : sql`${id(schema)}.${id(name)}`;

/** The indexes of completed steps, one row each. */
export const selectDone = (steps: readonly PublishedStep[]): Statement =>
  join(
    steps.map(({ done }, i) => sql`SELECT ${int(i)} AS step FROM (${done}) AS found`),
    ' UNION ALL ',
  );
