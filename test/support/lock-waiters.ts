import type { OpenBackend } from './backends.js';
import { until } from './until.js';

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
