// @ts-check
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Finds a program of the system: `redis-server`, `pgbouncer`, `chromium`, `mariadb`, `promtool`. Those of administrators too, which are often
 * not on the PATH of others.
 *
 * @param {string} name
 * @returns {{ path: string } | { reason: string }}
 */
export function installedProgram(name) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const path = folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find((file) => isExecutable(file));
  return path ? { path } : { reason: `no ${name} on the PATH nor in /usr/sbin; install it or run .ci/programs` };
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
