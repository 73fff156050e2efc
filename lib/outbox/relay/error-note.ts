const LONGEST = 500;

/**
 * The stored part of an error: its class and the start of its message, never a stack. Of a database error only the
 * code: messages of drivers and ORMs contain statements with their values.
 */
export function errorNote(error: unknown): string {
  if (isOfDatabase(error)) return `${error.name}: ${codeOf(error)}`;
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: textOf(error) };
  // NUL and lone surrogates cannot be stored.
  return `${name}: ${message}`.slice(0, LONGEST).replaceAll(/\0|\p{Surrogate}/gu, '');
}

const codeOf = ({ code }: { code?: unknown }): string =>
  typeof code === 'string' || typeof code === 'number' ? String(code) : 'see the log of the database';

const isOfDatabase = (error: unknown): error is Error & { code?: unknown } =>
  error instanceof Error && ['sql', 'query', 'sqlState', 'driverError', 'severity'].some((field) => field in error);

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'cannot be shown';
  }
}
