import { DurableError } from '../errors/durable-error.js';
import { ConfigurationError } from '../errors/setup-errors.js';

/** What an error is told as. */
export interface Problem {
  name: string;
  message: string;
  code?: string;
}

/** How the API answers an error of ours. */
export function statusOf(error: unknown): number {
  // Such as: the app has no outbox. Its operators may know that.
  if (error instanceof ConfigurationError) return 409;
  return error instanceof DurableError ? (error.status ?? 500) : 500;
}

/** Whether it is no fault of the request: it is logged, and not told. */
export const isOurs = (status: number): boolean => status >= 500 && status !== 503;

export function problemOf(error: unknown, status: number): Problem {
  if (isOurs(status)) return { name: 'Error', message: "Something went wrong: the app's log says what" };
  const { name, message, code } = error as Problem;
  return { name, message, ...(code !== undefined && { code }) };
}
