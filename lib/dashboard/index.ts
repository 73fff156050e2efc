export { DurableDashboardModule } from './dashboard.module.js';
export type {
  DashboardAsyncOptions,
  DashboardConduct,
  DashboardLink,
  DashboardOptions,
  DashboardMount,
  DashboardRequest,
} from './dashboard-options.js';
export { type DashboardUser, type Permission, PERMISSIONS } from './permissions.js';
export type { RunRow, StepRow } from './run-rows.js';
export { hideSecrets, type PayloadOrigin, type Redact, REDACTED } from './sight.js';
