import { InvalidArgumentError } from '../../errors/argument-errors.js';

/** The error for what was not given, and has to be. */
export const missingArgument = (argument: string, expected: string): InvalidArgumentError =>
  new InvalidArgumentError(argument, undefined, expected, `${argument} is missing: pass ${expected}`);
