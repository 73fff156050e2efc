import { InvalidArgumentError } from '../errors/argument-errors.js';
import { QuestionTimeoutError } from '../errors/database-errors.js';
import { withinTime } from '../time/time-limit.js';

/** How long a question may take. */
export const MOST_MS = 5_000;

/** Nothing is counted any further. */
export const MOST_COUNTED = 10_000;

/** A number, or at least so many: counting ends at a limit. */
export type Count = number | { atLeast: number };

export const countOf = ({ count, more }: { count: number; more: boolean }): Count =>
  more ? { atLeast: count } : count;

/** Of a number that was counted up to one more than `atMost`. */
export const upTo = (atMost: number, count: number): Count => (count > atMost ? { atLeast: atMost } : count);

export const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** Asks questions of an operator, none of which may take long. */
export class Questions {
  constructor(readonly mostMs = MOST_MS) {}

  /** @throws QuestionTimeoutError that names the question, after 5 s; the database has ended its statement then. */
  ask<T>(question: string, look: () => Promise<T>, mostMs = this.mostMs): Promise<T> {
    return withinTime(mostMs, look, (cause) => new QuestionTimeoutError(question, Math.round(mostMs), { cause }));
  }
}

/** @throws InvalidArgumentError */
export function checkedLimit(limit: unknown, most: number): number {
  if (Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= most) return limit as number;
  throw new InvalidArgumentError('limit', limit, `a whole number from 1 to ${most}`);
}
