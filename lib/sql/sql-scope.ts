import type { Dialect } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';
import type { Tables } from './tables.js';

/** What the time is inside of a statement, epoch ms: `() => dialect.now`, or a test's clock as a parameter. */
export type SqlNow = () => Statement;

/** What a statement that asks for the time needs to know. */
export interface Clocked {
  readonly dialect: Dialect;
  readonly now: SqlNow;
}

/** What the statements of runs and of tasks need to know besides their values. */
export interface Scope extends Clocked {
  readonly tables: Tables;
}

/** The time as an integer, even where it is a parameter. */
export const nowOf = ({ dialect, now }: Clocked): Statement => dialect.cast(now(), 'bigint');

/** The time to compare an indexed column with, or to write into all rows of a statement. */
export const onceNow = (scope: Clocked): Statement => scope.dialect.once(nowOf(scope));
