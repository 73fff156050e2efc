// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findInstallation } from './mysql-installation.mjs';

const PROVIDER = 'lib/galera/libgalera_smm.so';

/**
 * What a cluster is made of.
 * @typedef {{ installation: import('./mysql-installation.mjs').Installation, provider: string }} GaleraInstallation
 */

/**
 * A MariaDB and the library that makes it a node of a cluster: beside a server that was unpacked, or of the system.
 *
 * @returns {GaleraInstallation | { reason: string }}
 */
export function findGalera() {
  const installation = findInstallation('mariadb');
  if ('reason' in installation) return installation;
  const { usr = '/usr' } = installation;
  const provider = join(usr, PROVIDER);
  if (existsSync(provider)) return { installation, provider };
  return { reason: `no ${provider}; install galera-4 or run .ci/databases` };
}
