import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { isLimited, limiterOf } from './limiter.js';
import { checkName } from './names.js';
import type { LimitRequest, NewRun } from './run.js';

/** Limits, with the functions that compute their keys from the input. */
export interface KeyedLimits {
  concurrency?: { limit: number; key?: (input: never) => string };
  rate?: { max: number; durationMs: number; key?: (input: never) => string };
}

/**
 * The queue that a run waits in: one per key of its workflow. Undefined without limits, priority and key.
 *
 * @throws InvalidArgumentError when a key is no string of 1 to 191 characters
 */
export function limitRequestOf(
  namespace: string,
  { name, limits = {} }: { name: string; limits?: KeyedLimits },
  input: unknown,
  { priority, concurrencyKey }: { priority: number; concurrencyKey?: string | undefined },
): LimitRequest | undefined {
  const numbers = numbersOf(limits);
  if (!isLimited(numbers) && priority === 0 && concurrencyKey === undefined) return undefined;
  const given = concurrencyKey === undefined ? undefined : checkName(concurrencyKey, 'concurrencyKey');
  const key = given ?? keyOf(name, limits, input);
  return { limiter: limiterOf(namespace, 'workflow', name, key), namespace, name, key, limits: numbers };
}

/** The queue of a remote step; undefined without limits. @throws InvalidArgumentError as {@link limitRequestOf} */
export function stepLimitRequestOf(
  namespace: string,
  { name, limits }: { name: string; limits?: KeyedLimits },
  input: unknown,
): LimitRequest | undefined {
  if (!limits) return undefined;
  const key = keyOf(name, limits, input);
  return { limiter: limiterOf(namespace, 'step', name, key), namespace, name, key, limits: numbersOf(limits) };
}

const numbersOf = ({ concurrency, rate }: KeyedLimits): LimitRequest['limits'] => ({
  ...(concurrency && { concurrency: concurrency.limit }),
  ...(rate && { rate: { max: rate.max, durationMs: rate.durationMs } }),
});

/** Both limits share one queue, so they must use the same key. Empty if there is no key function. */
function keyOf(name: string, { concurrency, rate }: KeyedLimits, input: unknown): string {
  const keys = [concurrency?.key, rate?.key].flatMap((key) => (key ? [readKey(name, key, input)] : []));
  const [first = '', second = first] = keys;
  if (first === second) return first;
  const expected = `the same key as concurrency.key returned (${JSON.stringify(first)})`;
  throw new InvalidArgumentError(`The key of rateLimit of "${name}"`, second, expected);
}

function readKey(name: string, key: (input: never) => string, input: unknown): string {
  const what = `The concurrency key of "${name}"`;
  let value: unknown;
  try {
    value = key(input as never);
  } catch (error) {
    throw new InvalidArgumentError(what, String(error), 'a key function that returns a string for every input');
  }
  return checkName(value, what);
}

/** Whether the run waits for a turn in the queue, in place of a due time. */
export const needsTurn = ({ limiter, priority, delayMs, after = [] }: NewRun): boolean =>
  limiter !== undefined && (priority !== 0 || limiter.key !== '') && delayMs === 0 && after.length === 0;

/** The number of turns per priority. Turns are integers that every driver reads exactly. */
const TURNS = 2 ** 40;

/** The first turn of a priority; turns of higher priorities are smaller. */
export const firstTurn = (priority: number): number => -priority * TURNS;

export const endOfTurns = (priority: number): number => firstTurn(priority) + TURNS;
