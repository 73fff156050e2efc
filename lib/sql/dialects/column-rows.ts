import { id, join, raw, sql, type Statement } from './statement.js';

/** Each column's type and its value in a row; only `nullable` columns may be null. */
export type Columns<Row> = Record<string, Column<Row>>;

type Column<Row> =
  | readonly ['text', (row: Row) => string]
  | readonly ['text', (row: Row) => string | null, 'nullable']
  | readonly ['bigint', (row: Row) => number]
  | readonly ['bigint', (row: Row) => number | null, 'nullable'];

/**
 * Replaces NULL in arrays: with `array_nulls = off` the server reads NULL in an array as the text `NULL`. No JSON or
 * user text consists of this character alone, and none of our numbers has this value.
 */
const NOTHING = { text: '\u0001', bigint: '-9223372036854775808' } as const;

/**
 * PostgreSQL: rows as one array parameter per column, which the server reads much faster than JSON. A value that all
 * rows share is sent once.
 */
export function columnRows<Row>(rows: readonly Row[], columns: Columns<Row>): Statement {
  const arrays = Object.values(columns).map(
    ([type, of, nullable]) =>
      sql`(SELECT CASE WHEN cardinality(a) = 1 THEN array_fill(a[1], ARRAY[CAST(${rows.length} AS integer)]) ELSE a END FROM (SELECT ${arrayOf(type, arrayText(rows, of, type), nullable)} AS a) AS given)`,
  );
  return sql`(SELECT * FROM unnest(${join(arrays)}) AS listed(${join(Object.keys(columns).map(id))}))`;
}

type Type = keyof typeof NOTHING;

function arrayOf(type: Type, text: string, nullable: 'nullable' | undefined): Statement {
  const given = sql`CAST(${text} AS ${raw(type)}[])`;
  return nullable ? sql`array_replace(${given}, CAST(${raw(`'${NOTHING[type]}'`)} AS ${raw(type)}), NULL)` : given;
}

/** Has one element if all values are the same. */
function arrayText<Row>(rows: readonly Row[], of: (row: Row) => string | number | null, type: Type): string {
  const [first] = rows;
  if (first === undefined) return '{}';
  const shared = of(first);
  let text = `{${element(shared, type)}`;
  if (rows.every((row) => of(row) === shared)) return `${text}}`;
  for (let i = 1; i < rows.length; i++) text += `,${element(of(rows[i] as Row), type)}`;
  return `${text}}`;
}

const SPECIAL = /["\\]/;

function element(value: string | number | null, type: Type): string {
  if (value === null) return NOTHING[type];
  if (typeof value === 'number') return String(value);
  return SPECIAL.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
