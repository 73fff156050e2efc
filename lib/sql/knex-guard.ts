import type { Dialect } from './dialects/dialect.js';
import { ignoreError } from './driver-connection.js';
import { KNEX_DRIVERS } from './knex-drivers.js';
import type { KnexClient, KnexPool } from './mikro-orm-transaction.js';
import { callThrough } from './sent-statements.js';
import type { Report } from './session.js';

/** Marks a connection, as Knex does, so that it is not used again. */
export const dispose = (raw: object): void =>
  void Object.assign(raw, {
    __knex__disposed: new Error('The connection was lost, or released with an open transaction'),
  });

const isDisposed = (raw: object): boolean => Boolean((raw as { __knex__disposed?: unknown }).__knex__disposed);

const guarded = new WeakMap<KnexPool, Set<Report>>();

/** Ensures that an acquired connection has no transaction that was left open on it. */
export function guardKnex(dialect: Dialect, client: KnexClient, report: Report): void {
  const driver = KNEX_DRIVERS[dialect.name];
  driver.prepare?.(client);
  const { pool } = client;
  if (!pool) return;
  const known = guarded.get(pool);
  if (known) return void known.add(report);
  const reports = new Set([report]);
  guarded.set(pool, reports);
  const watched = (raw: object) => {
    const session = driver.session(raw);
    for (const each of reports) session.watchedBy(each);
    return session;
  };
  const endings = new WeakMap<object, Promise<void>>();
  pool.on('createSuccess', (_, raw) => void driver.session(raw, { fresh: true }));
  // A connection runs statements in order: the ROLLBACK precedes statements of its next user.
  pool.on('acquireSuccess', (_, raw) => void watched(raw).end()?.catch(ignoreError));
  pool.on('release', (raw) => {
    const ending = watched(raw).endLeft(!isDisposed(raw));
    if (!ending) return;
    dispose(raw);
    endings.set(raw, ending.catch(ignoreError));
  });
  // Otherwise the ROLLBACK would be lost with the connection, and the open transaction not reported.
  callThrough(client, 'destroyRawConnection', (args, destroy) => {
    const ending = endings.get(args[0] as object);
    return ending ? ending.then(() => destroy(args)) : destroy(args);
  });
}
