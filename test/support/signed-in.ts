import type { DatabaseName } from './test-servers.js';

/**
 * Which rows of `information_schema.processlist` may be killed. One that is still signing in leaves a rejection to nobody
 * in the `mariadb` connector (3.4, below MikroORM 6), which ends a process whoever uses it.
 */
export const signedIn = (db: DatabaseName): string =>
  db === 'mariadb' ? `(info LIKE '%durable_%' OR (command = 'Sleep' AND time_ms > 100))` : '1 = 1';
