import type { Check } from './check.js';
import { connectionChecks } from './connection-checks.js';
import { horizonCheck } from './horizon-check.js';
import { lockChecks } from './lock-checks.js';
import { notificationCheck } from './notification-check.js';
import { publishedCheck } from './published-check.js';
import { rightsCheck } from './rights-check.js';
import { schemaChecks } from './schema-checks.js';
import { serverChecks } from './server-checks.js';
import { storageChecks } from './storage-checks.js';
import { upkeepChecks } from './upkeep-checks.js';
import { deliveryChecks } from './delivery-checks.js';
import { runChecks } from './run-checks.js';

/** In the order in which they are made: what explains others comes first. */
export const ALL_CHECKS: readonly Check[] = [
  ...serverChecks,
  ...connectionChecks,
  notificationCheck,
  ...schemaChecks,
  publishedCheck,
  ...storageChecks,
  rightsCheck,
  ...upkeepChecks,
  horizonCheck,
  ...lockChecks,
  ...runChecks,
  ...deliveryChecks,
];
