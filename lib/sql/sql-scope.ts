import type { Dialect } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';
import type { Tables } from './tables.js';

/** The current time inside a statement, epoch ms: `() => dialect.now`, or a test's clock as a parameter. */
export type SqlNow = () => Statement;

/** The context of a statement that uses the time. */
export interface Clocked {
  readonly dialect: Dialect;
  readonly now: SqlNow;
}

/** The context of the statements on runs and tasks, besides their values. */
export interface Scope extends Clocked {
  readonly tables: Tables;
}

/** The time as an integer, even if it is a parameter. */
export const nowOf = ({ dialect, now }: Clocked): Statement => dialect.cast(now(), 'bigint');

/** The time for comparing an indexed column, or for writing to all rows of a statement. */
export const onceNow = (scope: Clocked): Statement => scope.dialect.once(nowOf(scope));
