import { rounded } from '../numbers.js';
import { markdown } from '../report.js';

/** What was measured at one size. */
export interface Point {
  x: number;
  /** By what it is, with its unit: `ms per step`. */
  values: Record<string, number>;
}

/** How the cost of something grows with something else. */
export interface Curve {
  /** As `steps of one run, local`. */
  name: string;
  /** What grows. */
  along: string;
  points: Point[];
  /** Time passes, nothing grows. */
  timeline?: true;
}

/**
 * From the first size with a value to the last: 0 is as much as before, 1 is in proportion. What is measured per piece
 * stays at 0 as long as the whole grows in proportion.
 */
export function growthOf({ points }: Curve, value: string): number | undefined {
  const measured = points.filter(({ x, values }) => x > 0 && (values[value] ?? 0) > 0);
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last || first === last) return undefined;
  return Math.log(last.values[value]! / first.values[value]!) / Math.log(last.x / first.x);
}

/** As many sizes as fit beside each other. */
const WIDE = 6;

/** Markdown: a line for each value and a column for each size, or the other way round where there are many sizes. */
export function tableOf(curve: Curve): string {
  const { along, points, timeline } = curve;
  const values = [...new Set(points.flatMap((point) => Object.keys(point.values)))];
  const growth = (value: string): string => {
    const exponent = growthOf(curve, value);
    return exponent === undefined ? '' : `x^${exponent.toFixed(2)}`;
  };
  const columns = [
    [along, ...values],
    ...points.map(({ x, values: measured }) => [
      rounded(x),
      ...values.map((value) => (measured[value] === undefined ? '' : rounded(measured[value]))),
    ]),
    ...(timeline ? [] : [['grows as', ...values.map(growth)]]),
  ];
  const lines = points.length > WIDE ? columns : columns[0]!.map((_, i) => columns.map((column) => column[i]!));
  return markdown(lines);
}
