import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

interface UntilOptions {
  /** Default 120,000: disks stand still for half a minute now and then. */
  withinMs?: number;
  /** The longest pause between two looks; the first ones are shorter. Default 50. */
  everyMs?: number;
  /** What there is instead, for the error. */
  otherwise?: () => unknown;
}

/**
 * Resolves to the first truthy answer of `condition`, asked again and again.
 *
 * @throws Error naming `what` when there is none within `withinMs`.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { withinMs = 120_000, everyMs = 50, otherwise }: UntilOptions = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + withinMs;
  for (let waitMs = Math.min(2, everyMs); ; waitMs = Math.min(waitMs * 1.5, everyMs)) {
    const answer = await condition();
    if (answer) return answer as Truthy<T>;
    if (performance.now() > deadline)
      throw new Error(`Not within ${withinMs} ms: ${what}${otherwise ? `, but ${String(otherwise())}` : ''}`);
    await pause(waitMs);
  }
}
