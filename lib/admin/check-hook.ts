import type { DoctorReport } from '../doctor/doctor-report.js';
import type { Obstacle } from '../engine/check/deploy-check.js';
import type { Operator } from '../operator/operator.js';

/** The interface of an app that was loaded only for a command. */
export interface CheckedApp {
  namespace: string;
  operator: Operator;
  examine(): Promise<DoctorReport>;
  /**
   * Yields for each unfinished run its obstacle, or undefined if it fits.
   *
   * @throws SchemaError when the tables are outdated, DatabaseError
   */
  check(options: { namespace?: string; limit?: number }): AsyncIterable<Obstacle | undefined>;
}

export interface CheckHook {
  found(app: CheckedApp): void;
  /** Whether the command may change what is stored. Default: nothing is written. */
  writes?: boolean;
}

/** Shared by all copies of this package: the app may load the one for `require`, the command the one for `import`. */
const KEY = Symbol.for('nest-durable.check');

const known = globalThis as { [KEY]?: CheckHook };

/** Set while apps are loaded only for a command: they start nothing and, unless it `writes`, write nothing. */
export const checkHook = (): CheckHook | undefined => known[KEY];

export function setCheckHook(hook: CheckHook): void {
  known[KEY] = hook;
}
