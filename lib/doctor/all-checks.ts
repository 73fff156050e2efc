import type { Check } from './check.js';
import { connectionChecks } from './connection-checks.js';
import { fleetChecks } from './fleet-checks.js';
import { horizonCheck } from './horizon-check.js';
import { lockChecks } from './lock-checks.js';
import { notificationCheck } from './notification-check.js';
import { numberCheck } from './number-check.js';
import { poolCheck } from './pool-check.js';
import { publishedCheck } from './published-check.js';
import { rightsCheck } from './rights-check.js';
import { schemaChecks } from './schema-checks.js';
import { serverChecks } from './server-checks.js';
import { sizeCheck } from './size-check.js';
import { storageChecks } from './storage-checks.js';
import { upkeepChecks } from './upkeep-checks.js';
import { deliveryChecks } from './delivery-checks.js';
import { runChecks } from './run-checks.js';

/** In the order in which they are made: what explains others comes first. */
export const ALL_CHECKS: readonly Check[] = [
  ...serverChecks,
  ...connectionChecks,
  poolCheck,
  notificationCheck,
  ...schemaChecks,
  publishedCheck,
  ...storageChecks,
  numberCheck,
  rightsCheck,
  ...upkeepChecks,
  sizeCheck,
  horizonCheck,
  ...lockChecks,
  ...runChecks,
  ...fleetChecks,
  ...deliveryChecks,
];
