/** What a user of the dashboard may do. `read`: everything but payloads. The server checks it at every route. */
export const PERMISSIONS = [
  ...([
    'read',
    'payloads',
    'cancel',
    'terminate',
    'retry',
    'signal',
    'restart',
    'fork',
    'complete',
    'delete',
    'export',
  ] as const),
  ...(['hold', 'drain', 'schedules', 'outbox', 'effects', 'doctor'] as const),
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Who looks, and what they may do. Without `read` they see nothing. */
export interface DashboardUser {
  /** Written into the act log with everything the user changes: a name, an address. */
  actor: string;
  may: 'all' | 'read' | readonly Permission[];
}

export const permissionsOf = ({ may }: DashboardUser): readonly Permission[] =>
  may === 'all'
    ? PERMISSIONS
    : may === 'read'
      ? ['read']
      : PERMISSIONS.filter((permission) => may.includes(permission));
