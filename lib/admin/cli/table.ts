import { widthOf } from './text-width.js';

/** A column: its title, and what a row shows there. Nothing is shown of null and undefined. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

type Cell = string | number | boolean | Date | null | undefined | { atLeast: number };

/** The longest text of a cell; JSON has all of it. */
const LONGEST = 80;

/** Lines, the first of them the titles. Each column is as wide as its widest cell. */
export function tableOf<Row>(rows: readonly Row[], columns: Columns<Row>): string[] {
  const titles = Object.keys(columns).map((title) => title.toUpperCase());
  const cells = rows.map((row) => Object.values(columns).map((cell) => textOf(cell(row))));
  const table = [titles, ...cells];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => widthOf(row[column]!))));
  return table.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

export function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'object') return `${cell.atLeast}+`;
  const text = visible(String(cell));
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Without what would move the cursor or change the colours of a terminal. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
