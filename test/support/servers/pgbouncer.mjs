// @ts-check
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, privateFolder, startProcess, unprivilegedAccount } from './server.mjs';

/**
 * A PgBouncer of our own before a PostgreSQL: whoever connects gets a connection of the server for the length of a
 * transaction, and a connection of the server is many people's.
 *
 * @param {string} program The path of `pgbouncer`.
 * @param {{ host: string, port: number, user: string, password: string, database: string }} to
 * @param {{ ignores?: string }} [options] What clients may set at their start in vain.
 * @returns {Promise<{ port: number, stop: () => Promise<void> }>}
 */
export async function startPgBouncer(
  program,
  { host, port: serverPort, user, password, database },
  { ignores = 'extra_float_digits' } = {},
) {
  const folder = privateFolder('pgbouncer');
  const account = unprivilegedAccount();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
${database} = host=${host} port=${serverPort} user=${user} password=${password}
[pgbouncer]
listen_addr = ${host}
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = 8
ignore_startup_parameters = ${ignores}
unix_socket_dir =
logfile = ${join(folder, 'log')}
`,
  );
  if (account.uid !== undefined) for (const path of [folder, file]) chownSync(path, account.uid, account.gid ?? 0);
  const probe = async () => {
    const client = new pg.Client({ host, port, user, password, database });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT 1');
    } finally {
      await client.end().catch(() => {});
    }
  };
  const server = await startProcess({ command: program, args: [file], account, folder, stopSignal: 'SIGTERM', probe });
  return { port, stop: () => server.stop() };
}
