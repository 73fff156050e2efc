import type { OpenBackend } from './backends.js';
import { findInstallation } from './servers/mysql-installation.mjs';
import { startMysql } from './servers/mysql.mjs';
import type { RunningServer } from './servers/server.mjs';
import type { DatabaseName } from './test-servers.js';
import { until } from './until.js';

/** On MySQL only the performance schema knows who waits for whom, which the server of all tests has not. */
export async function serverShowingLocks(db: DatabaseName): Promise<RunningServer | undefined> {
  if (db !== 'mysql') return undefined;
  const installation = findInstallation('mysql');
  if (!('command' in installation)) throw new Error(installation.reason);
  return startMysql(installation, { flags: ['--performance-schema=ON'] });
}

/** A statement that goes on for long enough to be seen is one that waits. */
const LOCKING = `SELECT count(*) AS n FROM information_schema.processlist
  WHERE info LIKE '%SELECT%FOR UPDATE%' AND db = DATABASE() AND id <> CONNECTION_ID()`;

const WAITING = `SELECT count(*) AS n FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/** Resolves once somebody waits for a lock in this database. */
export async function lockWaiter(backend: Pick<OpenBackend, 'db' | 'query'>): Promise<void> {
  await until('somebody waits for the lock', async () => {
    const [row] = await backend.query<{ n: number | string }>(backend.db === 'postgres' ? WAITING : LOCKING);
    return Number(row?.n) > 0;
  });
}
