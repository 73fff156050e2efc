const LONGEST = 500;

/** What is kept of an error: its class and the beginning of its message, never a stack. */
export function errorNote(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: textOf(error) };
  // NUL and halves of characters are nothing that databases store.
  return `${name}: ${message}`.slice(0, LONGEST).replaceAll(/\0|\p{Surrogate}/gu, '');
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'cannot be shown';
  }
}
