import { MikroORM, type Options } from '@mikro-orm/core';
import { MariaDbDriver } from '@mikro-orm/mariadb';
import { MySqlDriver } from '@mikro-orm/mysql';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { OpenHandle, OpenOptions } from './backends.js';
import type { FreshDatabase } from './fresh-database.js';

const DRIVERS = { postgres: PostgreSqlDriver, mysql: MySqlDriver, mariadb: MariaDbDriver };

/** Its driver gives up after a second, in which a busy machine may not come to connect. MikroORM 6 and 7 pass it on so. */
const CONNECT = { connectTimeout: 30_000 };
export const PATIENT = { driverOptions: { ...CONNECT, connection: CONNECT } };

export async function openMikroOrm(
  to: FreshDatabase,
  { poolMax = 10, entities = [], orm }: OpenOptions,
): Promise<OpenHandle> {
  const { db, host, port, user, password, database } = to;
  const options = {
    driver: DRIVERS[db],
    host,
    port,
    user,
    password,
    dbName: database,
    pool: { min: 0, max: poolMax },
    entities,
    discovery: { warnWhenNoEntities: false },
    ...(db === 'mariadb' && PATIENT),
    ...orm,
  };
  const connected = await MikroORM.init(options as unknown as Options);
  return { handle: connected, close: () => connected.close(true) };
}
