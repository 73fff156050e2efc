import { ConfigurationError } from '../errors/setup-errors.js';
import { byFamily, type Dialect } from './dialects/dialect.js';
import { affectedRows, mariadb, mysql } from './dialects/mysql.dialect.js';
import { postgres } from './dialects/postgres.dialect.js';
import { type ConnectionPool, type DriverConnection, DriverConnections } from './driver-connection.js';
import { dispose, guardKnex, KNEX_DRIVERS, knexCounts } from './knex-drivers.js';
import { giveBackLostClients } from './lost-clients.js';
import type { KnexClient, KnexTransaction, KyselyTransaction, MikroOrmEntityManager } from './mikro-orm-transaction.js';
import { guardMysql2Pool, type Mysql2Pool, mysql2Pool } from './mysql2-pool.js';
import { pgQuery } from './pg-connection.js';
import type { PgClientClass } from './pg-listener.js';
import { guardPgPool, type PgPool, pgPool } from './pg-pool.js';
import type { Report } from './session.js';

let queries = 0;

/**
 * A transaction of MikroORM 7, which hides its driver connection behind Kysely. Kysely passes text and values on
 * unchanged, so on PostgreSQL the "text" may be the driver's own query object, with a name and our type parsers.
 */
function kyselyConnection(
  dialect: Dialect,
  trx: KyselyTransaction,
): Pick<DriverConnection, 'execute' | 'interpolates'> {
  return {
    interpolates: byFamily(dialect, { postgres: () => false, mysql: () => true }),
    execute: async ({ text, params }) => {
      const sql = byFamily<ReturnType<typeof pgQuery> | string>(dialect, {
        postgres: () => pgQuery(text, params),
        mysql: () => text,
      });
      const { rows, numAffectedRows, insertId } = await trx.executeQuery({
        sql,
        parameters: params,
        query: { kind: 'RawNode' },
        queryId: { queryId: `durable-${++queries}` },
      });
      const affected = numAffectedRows === undefined ? rows.length : Number(numAffectedRows);
      return { rows, affected: affectedRows(affected, insertId) };
    },
  };
}

/** The layer below MikroORM: Knex in 6, the driver's own pool in 7. */
export interface MikroOrmBelow {
  readonly pool: ConnectionPool;
  /** Call it before the ORM opens connections itself; `report` receives transactions left open on them. */
  watch(report: Report): Promise<void>;
  /** The connection of an open transaction. */
  connectionOf(context: object): Promise<Pick<DriverConnection, 'execute' | 'interpolates'>>;
  /** PostgreSQL only. */
  listenOptions(): Promise<{ Client: PgClientClass; options: object }>;
}

const DIALECTS: Record<string, Dialect> = { PostgreSqlDriver: postgres, MySqlDriver: mysql, MariaDbDriver: mariadb };

export function mikroOrmBelow(em: MikroOrmEntityManager): MikroOrmBelow {
  const driver = em.getDriver().constructor.name;
  const dialect = DIALECTS[driver];
  if (!dialect) throw new ConfigurationError(`MikroORM's ${driver} is not supported: use postgresql, mysql or mariadb`);
  const connection = em.getConnection('write');
  if (connection.getKnex) return belowKnex(dialect, () => em.getConnection('write').getKnex!().client);
  if (connection.getNativeClient) return belowNative(dialect, () => em.getConnection('write').getNativeClient!());
  throw new ConfigurationError('This version of MikroORM gives no access to the driver: use 6.6, or 7.2 or newer');
}

function belowKnex(dialect: Dialect, clientOf: () => KnexClient): MikroOrmBelow {
  const driver = KNEX_DRIVERS[dialect.name];
  const connections = new DriverConnections<object>((raw) => driver.connection(raw));
  return {
    pool: {
      dialect,
      counts: () => knexCounts(driver, clientOf()),
      acquire: async (report) => {
        const client = clientOf();
        guardKnex(dialect, client, report);
        const raw = await client.acquireConnection();
        const release = (broken: boolean) => {
          if (broken) dispose(raw);
          void client.releaseConnection(raw);
        };
        const session = driver.session(raw).watchedBy(report);
        return { connection: connections.of(raw), raw, session, release };
      },
    },
    watch: async (report) => guardKnex(dialect, clientOf(), report),
    connectionOf: async (context) => connections.of(await (context as KnexTransaction).client.acquireConnection()),
    listenOptions: async () => {
      const client = clientOf();
      // A password function is called when Knex connects, so it must have connected once.
      await client.releaseConnection(await client.acquireConnection());
      return { Client: client.driver.Client as PgClientClass, options: client.connectionSettings };
    },
  };
}

function belowNative(dialect: Dialect, poolOf: () => Promise<unknown>): MikroOrmBelow {
  const pgPoolOf = async () => giveBackLostClients((await poolOf()) as PgPool);
  const mysql2PoolOf = async () => (await poolOf()) as Mysql2Pool;
  return {
    pool: byFamily(dialect, { postgres: () => pgPool(pgPoolOf), mysql: () => mysql2Pool(dialect, mysql2PoolOf) }),
    watch: (report) =>
      byFamily(dialect, {
        postgres: async () => void guardPgPool(await pgPoolOf(), report),
        mysql: async () => void guardMysql2Pool(await mysql2PoolOf(), report),
      }),
    connectionOf: (context) => Promise.resolve(kyselyConnection(dialect, context as KyselyTransaction)),
    listenOptions: async () => {
      const { Client, options } = (await poolOf()) as { Client: PgClientClass; options: object };
      return { Client, options };
    },
  };
}
