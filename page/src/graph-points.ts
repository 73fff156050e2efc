export const WIDTH = 300;
export const HEIGHT = 80;
/** Between the highest value and the edge. */
const ROOM = 4;

/** Minutes without a value are left out: the line goes on at the next one. */
export function pointsOf(values: readonly (number | null)[], top: number): string {
  const x = (n: number) => Math.round((n / (values.length - 1)) * WIDTH * 10) / 10;
  const y = (value: number) => Math.round((HEIGHT - ROOM - (value / top) * (HEIGHT - 2 * ROOM)) * 10) / 10;
  return values.flatMap((value, n) => (value === null ? [] : [`${x(n)},${y(value)}`])).join(' ');
}

/** The value that this share of the minutes does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
