import { ConfigurationError } from '../../errors.js';

/** What V8 throws when code is wrong, rather than when business fails; and what this process is not set up for. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, SyntaxError, RangeError, ConfigurationError];

/** Such an error blocks a run until code comes that fits: nothing is undone for it. */
export const isProgrammingError = (error: unknown): boolean => PROGRAMMING_ERRORS.some((type) => error instanceof type);
