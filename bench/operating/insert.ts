/** Each column of a table with the expression of its value. */
export type Values = Readonly<Record<string, string>>;

/** One row for each row of `from`: thousands with one statement. */
export const insert = (table: string, values: Values, from: string): string =>
  `INSERT INTO durable_${table} (${Object.keys(values).join(', ')}) SELECT ${Object.values(values).join(', ')} FROM ${from}`;

/** A table with the numbers from 0; an alternative in each dialect would be another text for each row below. */
export const numbers = (below: number): string => `numbers WHERE n < ${below}`;
