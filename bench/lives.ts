/** How many lives a round has, and how many of them are under way at once. */
export interface Load {
  lives: number;
  inFlight: number;
}

/** Keeps `inFlight` lives under way until all have been lived. Returns the milliseconds it took. */
export async function throughput(live: (index: number) => Promise<void>, { lives, inFlight }: Load): Promise<number> {
  const began = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < lives) await live(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return performance.now() - began;
}

/** One life after the other, until `ms` have passed. Returns the milliseconds of each. */
export async function sequence(
  live: (index: number) => Promise<unknown>,
  count: number,
  ms = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const times: number[] = [];
  const over = performance.now() + ms;
  for (let i = 0; i < count && (i === 0 || performance.now() < over); i++) {
    const began = performance.now();
    await live(i);
    times.push(performance.now() - began);
  }
  return times;
}

/** Without the first tenth, which warms up. */
export const warmed = (times: readonly number[]): number[] => times.slice(Math.floor(times.length / 10));

/** So many lives at once, for so long. */
export interface Spell {
  atOnce: number;
  ms: number;
}

export interface Spent {
  lives: number;
  ms: number;
}

/** Begins lives for `ms`, `atOnce` of them at a time and each of these at least once, and lets them end. */
export async function spell(live: () => Promise<unknown>, { atOnce, ms }: Spell): Promise<Spent> {
  const began = performance.now();
  let lives = 0;
  const oneAfterTheOther = async () => {
    do {
      await live();
      lives++;
    } while (performance.now() - began < ms);
  };
  await Promise.all(Array.from({ length: atOnce }, oneAfterTheOther));
  return { lives, ms: performance.now() - began };
}

/** Ids that no other round uses. */
let round = 0;
export const nextRound = (): string => `${process.pid.toString(36)}-${(round++).toString(36)}`;
