export const DASHBOARD_SETTINGS = Symbol('nest-durable:dashboard-settings');
