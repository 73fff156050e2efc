/** What V8 throws when code is wrong, rather than when business fails. */
const PROGRAMMING_ERRORS = [TypeError, ReferenceError, SyntaxError, RangeError];

/** Such an error blocks a run until code comes that fits: nothing is undone for it. */
export const isProgrammingError = (error: unknown): boolean => PROGRAMMING_ERRORS.some((type) => error instanceof type);
