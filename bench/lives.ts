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

/** One life after the other. Returns the milliseconds of each, without the first tenth, which warms up. */
export async function sequence(live: (index: number) => Promise<void>, count: number): Promise<number[]> {
  const warmup = Math.ceil(count / 10);
  const times: number[] = [];
  for (let i = 0; i < count + warmup; i++) {
    const began = performance.now();
    await live(i);
    if (i >= warmup) times.push(performance.now() - began);
  }
  return times;
}

/** Ids that no other round uses. */
let round = 0;
export const nextRound = (): string => `${process.pid.toString(36)}-${(round++).toString(36)}`;
