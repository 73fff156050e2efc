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

const WAITING = {
  postgres: `SELECT count(*) AS n FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  mysql: `SELECT count(*) AS n FROM information_schema.innodb_trx t
    JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
    WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
};

/** How many sessions wait for locks in this database. */
async function lockWaiters({ db, query }: Pick<OpenBackend, 'db' | 'query'>): Promise<number> {
  const [row] = await query<{ n: number | string }>(WAITING[db === 'postgres' ? 'postgres' : 'mysql']);
  return Number(row?.n);
}

/** InnoDB reads its list of transactions anew only if nobody has read it for 100 ms. */
const EVERY_MS = 200;

/** Resolves once two looks in a row find so many who wait for locks in this database: others wait for a moment only. */
export async function lockWaiter(backend: Pick<OpenBackend, 'db' | 'query'>, many = 1): Promise<void> {
  let looks = 0;
  const waits = async () => (looks = (await lockWaiters(backend)) >= many ? looks + 1 : 0) >= 2;
  await until('somebody waits for the lock', waits, { everyMs: EVERY_MS });
}
