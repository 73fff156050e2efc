const LONGEST = 191;

/** The class of an error, which is all that is kept of one: a message may hold what must not be kept. Never throws. */
export function errorClassOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  try {
    return classNameOf(error) || 'Error';
  } catch {
    // Anything can be thrown, also what throws when it is looked at.
    return 'Error';
  }
}

function classNameOf(error: object): string {
  const { constructor } = error as { constructor?: { name?: unknown } };
  const name = typeof constructor?.name === 'string' ? constructor.name : '';
  const storable = name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
  // Whole characters.
  return [...storable].slice(0, LONGEST).join('');
}
