// @ts-check
import { findInstallation } from './mysql-installation.mjs';
import { startMysql } from './mysql.mjs';
import { startPostgres } from './postgres.mjs';

/**
 * What there is for tests; `missing` says why a database is not there.
 * @typedef {{ servers: import('./server.mjs').ServerAddress[], missing: { db: string, reason: string }[] }} TestServers
 */

/**
 * Starts one server of each database that this machine has.
 *
 * @returns {Promise<TestServers & { stop: () => Promise<void> }>}
 */
export async function startAllServers() {
  const found = /** @type {const} */ (['mysql', 'mariadb']).map((db) => ({ db, installation: findInstallation(db) }));
  /** @type {TestServers['missing']} */
  const missing = [];
  /** @type {Promise<import('./server.mjs').RunningServer>[]} */
  const starting = [startPostgres()];
  for (const { db, installation } of found) {
    if ('reason' in installation) missing.push({ db, reason: installation.reason });
    else starting.push(startMysql(installation));
  }
  const started = await Promise.allSettled(starting);
  const running = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stop = async () => void (await Promise.allSettled(running.map((server) => server.stop())));
  const failed = started.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { servers: running.map(({ address }) => address), missing, stop };
}
