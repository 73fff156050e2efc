import { id, type Identifier } from './statement.js';

/** The names of all our tables, quoted by the dialect when rendered. */
export interface Tables {
  readonly prefix: string;
  readonly tasks: Identifier;
  readonly results: Identifier;
  readonly runs: Identifier;
  readonly steps: Identifier;
  readonly nodes: Identifier;
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
    migrations: table('migrations'),
  };
}
