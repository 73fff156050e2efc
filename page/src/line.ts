/** So many looks of a page are under way at once: an app that is slow is not asked for everything together. */
const AT_ONCE = 2;

let underWay = 0;
const line: (() => void)[] = [];

/** Looks as soon as it is this one's turn. */
export async function inLine<T>(look: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) await new Promise<void>((resolve) => line.push(resolve));
  else underWay++;
  try {
    return await look();
  } finally {
    // Whoever is next takes the place.
    const next = line.shift();
    if (next) next();
    else underWay--;
  }
}
