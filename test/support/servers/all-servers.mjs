// @ts-check
import { findInstallation } from './mysql-installation.mjs';
import { startMysql } from './mysql.mjs';
import { startPostgres } from './postgres.mjs';

/**
 * What there is for tests; `missing` says why a database is not there.
 * @typedef {{ servers: import('./server.mjs').ServerAddress[], missing: { db: string, reason: string }[] }} TestServers
 */

/**
 * Starts one server of each database that this machine has. One that is found and does not start is missing, too.
 *
 * @returns {Promise<TestServers & { stop: () => Promise<void> }>}
 * @throws where PostgreSQL does not start, which comes with the packages
 */
export async function startAllServers() {
  /** @type {TestServers['missing']} */
  const missing = [];
  const others = /** @type {const} */ (['mysql', 'mariadb']).map(async (db) => {
    try {
      const installation = findInstallation(db);
      if (!('reason' in installation)) return await startMysql(installation);
      return void missing.push({ db, reason: installation.reason });
    } catch (error) {
      const [first] = String(error).split('\n');
      return void missing.push({ db, reason: `it does not start: ${first}` });
    }
  });
  const [postgres, ...rest] = await Promise.allSettled([startPostgres(), ...others]);
  const running = [postgres, ...rest].flatMap((outcome) =>
    outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : [],
  );
  const stop = async () => void (await Promise.allSettled(running.map((server) => server.stop())));
  if (postgres.status === 'rejected') {
    await stop();
    throw postgres.reason;
  }
  return { servers: running.map(({ address }) => address), missing, stop };
}
