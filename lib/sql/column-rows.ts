import { id, join, raw, sql, type Statement } from './statement.js';

/** Each column's type and what a row has in it. */
export type Columns<Row> = Record<
  string,
  readonly ['text', (row: Row) => string | null] | readonly ['bigint', (row: Row) => number | null]
>;

/** PostgreSQL: rows as one parameter for each column, which the server reads in a fraction of the time JSON takes. */
export function columnRows<Row>(rows: readonly Row[], columns: Columns<Row>): Statement {
  const arrays = Object.values(columns).map(
    ([type, of]) => sql`CAST(${arrayText(rows.map((row) => of(row)))} AS ${raw(type)}[])`,
  );
  return sql`(SELECT * FROM unnest(${join(arrays)}) AS listed(${join(Object.keys(columns).map(id))}))`;
}

const SPECIAL = /["\\]/;

function arrayText(values: readonly (string | number | null)[]): string {
  let text = '{';
  for (const value of values) text += (text.length > 1 ? ',' : '') + element(value);
  return text + '}';
}

function element(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return SPECIAL.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
