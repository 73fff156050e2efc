import { contractTables } from './001-contract.js';
import { effectTables } from './001-effects.js';
import { outboxTables } from './001-outbox.js';
import { runTables } from './001-runs.js';
import { waitingTables } from './001-waiting.js';
import type { Migration } from './migration.js';

/** In the order of application. */
export const ALL_MIGRATIONS: readonly Migration[] = [
  { id: '001-transport', part: 'transport', steps: contractTables },
  {
    id: '001-engine',
    part: 'engine',
    steps: (dialect, tables) =>
      [runTables, waitingTables, outboxTables, effectTables].flatMap((stepsOf) => stepsOf(dialect, tables)),
  },
];
