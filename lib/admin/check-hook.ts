import type { Obstacle } from '../engine/check/deploy-check.js';

/** What an app that was loaded to be checked lets itself be asked. */
export interface CheckedApp {
  namespace: string;
  /**
   * Each unfinished run's obstacle, undefined where it fits.
   *
   * @throws SchemaError when the tables are behind, DatabaseError
   */
  check(options: { namespace?: string; limit?: number }): AsyncIterable<Obstacle | undefined>;
}

export interface CheckHook {
  found(app: CheckedApp): void;
}

/** Known to every copy of this package in a process: the app may load the one for `require`, the command the one for `import`. */
const KEY = Symbol.for('nest-durable.check');

const known = globalThis as { [KEY]?: CheckHook };

/** Set while apps are loaded only to be checked: they start nothing and write nothing. */
export const checkHook = (): CheckHook | undefined => known[KEY];

export function setCheckHook(hook: CheckHook): void {
  known[KEY] = hook;
}
