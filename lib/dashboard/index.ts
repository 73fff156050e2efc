export { DurableDashboardModule } from './dashboard.module.js';
export {
  type DashboardAsyncOptions,
  type DashboardConduct,
  type DashboardLink,
  type DashboardMount,
  type DashboardOptions,
  type DashboardRequest,
  type DashboardUser,
  hideSecrets,
  type PayloadOrigin,
  type Permission,
  PERMISSIONS,
  type Redact,
  REDACTED,
  type RunRow,
  type StepRow,
} from './options.js';
