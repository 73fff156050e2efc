// @ts-check
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Finds a program of the system: `redis-server`, `pgbouncer`, `chromium`, `mariadb`, `promtool`, `postgres`. Those of administrators too, which are often
 * not on the PATH of others, and the newest PostgreSQL of Debian, which is on nobody's.
 *
 * @param {string} name
 * @returns {{ path: string } | { reason: string }}
 */
export function installedProgram(name) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', ...ofPostgres()];
  const path = folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((file) => isExecutable(file));
  return path ? { path } : { reason: `no ${name} on the PATH nor in /usr/sbin; install it or run .ci/programs` };
}

const VERSIONS = '/usr/lib/postgresql';

/** @returns {string[]} */
function ofPostgres() {
  try {
    const versions = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(VERSIONS, version, 'bin'));
  } catch {
    return [];
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
