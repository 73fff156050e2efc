import { id, type Identifier } from './dialects/statement.js';

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
    migrations: table('migrations'),
  };
}
