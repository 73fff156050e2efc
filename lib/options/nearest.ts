/**
 * The names that somebody may have meant, the nearest first, at most three: those that a typing error or two make of the
 * given one, in any case, and those that contain it, are contained in it or begin alike.
 */
export function nearest(given: string, names: readonly string[]): string[] {
  const wanted = given.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

const LEAST_IN_COMMON = 4;

function distanceOf(a: string, b: string, most: number): number {
  const isPart = Math.min(a.length, b.length) >= LEAST_IN_COMMON && (a.includes(b) || b.includes(a));
  const beginsAlike = a.length >= LEAST_IN_COMMON && b.startsWith(a.slice(0, LEAST_IN_COMMON));
  const distance = edits(a, b);
  return isPart || beginsAlike ? Math.min(distance, most) : distance;
}

/** How many letters have to be inserted, removed, replaced or swapped with their neighbour to make `b` of `a`. */
function edits(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const [above, left, diagonal] = [rows[i - 1]![j]!, row[j - 1]!, rows[i - 1]![j - 1]!];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1), swapped));
    }
    rows.push(row);
  }
  return rows.at(-1)![b.length]!;
}
