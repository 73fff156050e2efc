import type { Statement } from './statement.js';

/** What the time is inside of a statement, epoch ms: `() => dialect.now`, or a test's clock as a parameter. */
export type SqlNow = () => Statement;
