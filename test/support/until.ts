import { setTimeout as pause } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Resolves to the first truthy answer of `condition`, asked again and again.
 *
 * @throws Error naming `what` when there is none within `withinMs` (default 60,000).
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { withinMs = 60_000, everyMs = 10 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Truthy<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer as Truthy<T>;
    if (Date.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(everyMs);
  }
}
