/** An error as the contract's JSON: other languages write `message`, and `code` and `retryable` if they like. */
export interface WireError {
  message: string;
  name?: string;
  code?: string;
  /** False ends the retries of the step. */
  retryable?: boolean;
}

/** Whatever was thrown, as data: also `throw undefined` and errors with unusual fields. */
export function toWireError(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: messageOf(thrown) };
  const { name, message } = thrown;
  const code: unknown = (thrown as { code?: unknown }).code;
  return {
    name: String(name),
    message: String(message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
  };
}

/** Reads the contract's error text, whoever wrote it. Anything unreadable becomes the message. */
export function parseWireError(text: string | null): WireError {
  if (text === null) return { message: 'The worker reported a failure without an error' };
  const { message, name, code, retryable } = asRecord(text);
  return {
    message: typeof message === 'string' ? message : text,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
  };
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { message: value };
  } catch {
    return {};
  }
}

function messageOf(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
  try {
    return `${typeof thrown === 'string' ? '' : 'Thrown: '}${String(thrown)}`;
  } catch {
    return 'Thrown: a value that has no text';
  }
}
