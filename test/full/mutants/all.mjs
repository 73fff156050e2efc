// @ts-check
import { effectMutants } from './effects.mjs';
import { meetingMutants } from './meetings.mjs';
import { outboxMutants } from './outbox.mjs';
import { playMutants } from './play.mjs';
import { repairMutants } from './repairs.mjs';
import { runMutants } from './runs.mjs';
import { sqlMutants } from './sql.mjs';
import { transportMutants } from './transport.mjs';

/** Each has to be killed by its suite. */
export const mutants = [
  ...transportMutants,
  ...runMutants,
  ...repairMutants,
  ...playMutants,
  ...meetingMutants,
  ...outboxMutants,
  ...effectMutants,
  ...sqlMutants,
];
