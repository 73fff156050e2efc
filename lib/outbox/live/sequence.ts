/** Numbers of events are texts of digits, since they may be greater than 2^53. */

/** The greatest that a column holds. */
const GREATEST = 2n ** 63n - 1n;

/** A number as it is compared; undefined for whatever is none. */
export function sequenceOf(text: string): string | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number > GREATEST ? undefined : String(number);
}

/** Whether `a` comes after `b`. */
export const isAfter = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length);

export const laterOf = (a: string, b: string): string => (isAfter(a, b) ? a : b);
