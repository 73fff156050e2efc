import { DatabaseError } from '../errors.js';
import { within } from '../time/within.js';

/** The network may swallow a connection without a word; the longest lock wait of MySQL's defaults is 50 s. */
export const STATEMENT_MS = 90_000;

/** Some pools queue for ever, and some drivers connect for ever. */
export const ACQUIRE_MS = 30_000;

/** @throws DatabaseError when it takes longer than `ms`; the answer is ignored then. */
export function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T> {
  return within(
    ms,
    answer,
    () => new DatabaseError(`The database has not answered for ${ms} ms`, true, { elsewhere: true }),
  );
}
