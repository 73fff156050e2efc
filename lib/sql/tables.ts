import { id, type Identifier, type Statement } from './dialects/statement.js';
import type { Dialect } from './dialects/dialect.js';

/** The names of all our tables, quoted by the dialect when rendered. */
export interface Tables {
  readonly prefix: string;
  readonly tasks: Identifier;
  readonly results: Identifier;
  readonly runs: Identifier;
  readonly steps: Identifier;
  readonly nodes: Identifier;
  readonly dependencies: Identifier;
  readonly attempts: Identifier;
  readonly logs: Identifier;
  readonly attributes: Identifier;
  readonly signals: Identifier;
  readonly channels: Identifier;
  readonly waits: Identifier;
  readonly startKeys: Identifier;
  readonly schedules: Identifier;
  readonly limiters: Identifier;
  readonly limiterEntries: Identifier;
  readonly acts: Identifier;
  readonly holds: Identifier;
  readonly erasures: Identifier;
  readonly samples: Identifier;
  readonly migrations: Identifier;
}

export function tablesWithPrefix(prefix: string): Tables {
  const table = (name: string) => id(`${prefix}_${name}`);
  return {
    prefix,
    tasks: table('transport_tasks'),
    results: table('transport_results'),
    runs: table('runs'),
    steps: table('steps'),
    nodes: table('nodes'),
    dependencies: table('run_dependencies'),
    attempts: table('step_attempts'),
    logs: table('step_logs'),
    attributes: table('run_attributes'),
    signals: table('signals'),
    channels: table('signal_channels'),
    waits: table('signal_waits'),
    startKeys: table('start_keys'),
    schedules: table('schedules'),
    limiters: table('limiters'),
    limiterEntries: table('limiter_entries'),
    acts: table('acts'),
    holds: table('holds'),
    erasures: table('erasures'),
    samples: table('samples'),
    migrations: table('migrations'),
  };
}

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
