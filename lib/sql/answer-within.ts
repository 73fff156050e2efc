import { DatabaseError } from '../errors.js';
import { within } from '../time/within.js';

/** A dead network connection may give no error; the longest default lock wait of MySQL is 50 s. */
export const STATEMENT_MS = 90_000;

/** Some pools queue without a limit, and some drivers connect without a timeout. */
export const ACQUIRE_MS = 30_000;

/** @throws DatabaseError when it takes longer than `ms`; the result is ignored then. */
export function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T> {
  return within(
    ms,
    answer,
    () => new DatabaseError(`The database has not responded for ${ms} ms`, true, { elsewhere: true }),
  );
}
