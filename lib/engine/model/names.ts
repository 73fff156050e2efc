import { InvalidArgumentError } from '../../errors/argument-errors.js';

/** The length that fits a key column on every database. */
const LONGEST_NAME = 191;
/** Leaves room for `:<seq>` in a step id, whose column holds 191 characters. */
const LONGEST_RUN_ID = 180;

/** @throws InvalidArgumentError unless `name` is a string of 1 to 191 characters without control characters. */
export const checkName = (name: unknown, what: string): string => check(name, what, LONGEST_NAME);

/** @throws InvalidArgumentError unless `id` is a string of 1 to 180 characters without control characters. */
export const checkRunId = (id: unknown): string => check(id, 'The run id', LONGEST_RUN_ID);

function check(text: unknown, what: string, longest: number): string {
  // Code points, as the databases count. Lone surrogates (Cs) cannot be stored as text.
  if (typeof text === 'string' && text.length > 0 && [...text].length <= longest && !/[\p{Cc}\p{Cs}]/u.test(text))
    return text;
  throw new InvalidArgumentError(what, text, `a string of 1 to ${longest} characters, without control characters`);
}
