import { byFamily } from './dialects/dialect.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { toDatabaseError } from './database-errors.js';
import type { ConnectionPool, DriverConnection } from './driver-connection.js';
import { joinedConnection } from './joined-connection.js';
import { mariadb, mysql } from './dialects/mysql.dialect.js';
import { mysql2Connection } from './mysql2-connection.js';
import { type Mysql2Pool, mysql2Pool, type Mysql2PoolConnection } from './mysql2-pool.js';
import { mysql2Session } from './mysql2-session.js';
import { type PgClient, pgConnection } from './pg-connection.js';
import { listenOnPostgres, type PgClientClass } from './pg-listener.js';
import { type PgPool, pgPool } from './pg-pool.js';
import { pgSession } from './pg-session.js';
import { PooledConnection } from './pooled-connection.js';
import type { Session } from './session.js';
import type {
  JoinedTransaction,
  OrmTransactionOptions,
  SqlConnection,
  SqlExecutor,
  SqlTransaction,
} from './sql-executor.js';
import { ormTransaction } from './orm-transaction.js';
import { TypeOrmCommitListeners } from './typeorm-commit-listeners.js';
import {
  queryRunnerOf,
  type TypeOrmDataSource,
  type TypeOrmEntityManager,
  type TypeOrmIsolationLevel,
  type TypeOrmQueryRunner,
} from './typeorm-transaction.js';

type TypeOrmDriver = TypeOrmDataSource['driver'];

/**
 * An executor for a TypeORM `DataSource`. Our statements go to the driver connection below TypeORM, so they are bound
 * and prepared, and TypeORM does not log them.
 *
 * @throws ConfigurationError when it is not a DataSource of PostgreSQL, MySQL or MariaDB.
 */
export function typeOrmExecutor(dataSource: object): SqlExecutor {
  const { driver, options, createQueryRunner } = dataSource as Partial<TypeOrmDataSource>;
  if (!driver || !options || typeof createQueryRunner !== 'function') {
    throw new ConfigurationError('invalid argument of typeOrmExecutor(): pass the DataSource');
  }
  return new TypeOrmExecutor(dataSource as TypeOrmDataSource);
}

class TypeOrmExecutor extends PooledConnection implements SqlExecutor {
  readonly listen?: NonNullable<SqlExecutor['listen']>;
  private readonly commitListeners: TypeOrmCommitListeners;
  private readonly joinedTo = new WeakMap<TypeOrmQueryRunner, SqlConnection>();

  constructor(private readonly dataSource: TypeOrmDataSource) {
    super({ ...poolOf(dataSource), setting: 'poolSize' });
    this.commitListeners = TypeOrmCommitListeners.of(dataSource);
    if (this.dialect.canListen) this.listen = this.openListener.bind(this);
  }

  ormTransaction<T>(
    work: (handle: unknown, tx: SqlTransaction) => Promise<T>,
    options?: OrmTransactionOptions,
  ): Promise<T> {
    return this.atLevel('READ COMMITTED', work, options);
  }

  ormSnapshot<T>(work: (handle: unknown, tx: SqlTransaction) => Promise<T>): Promise<T> {
    return this.atLevel('REPEATABLE READ', work);
  }

  join(handle: unknown): JoinedTransaction {
    const queryRunner = queryRunnerOf(handle, this.dataSource);
    const connection = this.connectionOf(queryRunner);
    return {
      ...connection,
      afterCommit: (listener) => this.commitListeners.addAfter(queryRunner, listener),
      beforeCommit: (work) => this.commitListeners.addBefore(queryRunner, () => work(connection)),
    };
  }

  private connectionOf(queryRunner: TypeOrmQueryRunner): SqlConnection {
    const wrap = byFamily<(raw: never) => DriverConnection>(this.dialect, {
      postgres: () => pgConnection,
      mysql: () => mysql2Connection,
    });
    const connect = async () => wrap((await queryRunner.connect()) as never);
    const known = this.joinedTo.get(queryRunner);
    const connection = known ?? joinedConnection(this.dialect, () => isOpen(queryRunner), connect);
    if (!known) this.joinedTo.set(queryRunner, connection);
    return connection;
  }

  private atLevel<T>(
    level: TypeOrmIsolationLevel,
    work: (handle: unknown, tx: SqlTransaction) => Promise<T>,
    options?: OrmTransactionOptions,
  ): Promise<T> {
    return ormTransaction(
      (inside) => this.opened(level, inside),
      (manager) => work(manager, this.join(manager)),
      options,
    );
  }

  /** Uses a connection that is known to be in no other transaction before BEGIN. */
  private async opened<T>(
    level: TypeOrmIsolationLevel,
    inside: (manager: TypeOrmEntityManager) => Promise<T>,
  ): Promise<T> {
    const queryRunner = this.dataSource.createQueryRunner();
    try {
      await this.sessionOf(await this.arrivalOf(queryRunner))
        .watchedBy(this.report)
        .end();
      return await queryRunner.manager.transaction(level, inside);
    } finally {
      await queryRunner.release();
    }
  }

  private async arrivalOf(queryRunner: TypeOrmQueryRunner): Promise<unknown> {
    const arrived = this.waits.begin();
    try {
      return await queryRunner.connect();
    } catch (error) {
      arrived(error);
      throw error;
    } finally {
      arrived();
    }
  }

  private sessionOf(raw: unknown): Session {
    return byFamily(this.dialect, {
      postgres: () => pgSession(raw as PgClient),
      mysql: () => mysql2Session(raw as Mysql2PoolConnection),
    });
  }

  private async openListener(channels: readonly string[], onNotify: (channel: string, payload: string) => void) {
    const pool = this.dataSource.driver.master as PgPool & { Client: PgClientClass };
    try {
      return await listenOnPostgres(pool.Client, pool.options, channels, onNotify);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}

const isOpen = (queryRunner: TypeOrmQueryRunner): boolean => queryRunner.isTransactionActive && !queryRunner.isReleased;

function poolOf(dataSource: TypeOrmDataSource): ConnectionPool {
  switch (dataSource.options.type) {
    case 'postgres':
      return pgPool(() => initialized(dataSource).master as PgPool);
    case 'mysql':
      return mysql2Pool(mysql, () => masterOf(initialized(dataSource)));
    case 'mariadb':
      return mysql2Pool(mariadb, () => masterOf(initialized(dataSource)));
    default:
      throw new ConfigurationError(
        `TypeORM's "${dataSource.options.type}" is not supported: use postgres, mysql or mariadb`,
      );
  }
}

/** With replicas, the driver provides the connections of the primary. */
function masterOf(driver: TypeOrmDriver): Mysql2Pool {
  if (driver.pool) return driver.pool as Mysql2Pool;
  return {
    getConnection: (callback) =>
      void driver.obtainMasterConnection().then(
        (connection) => callback(null, connection as Mysql2PoolConnection),
        (error: Error) => callback(error, undefined as never),
      ),
  };
}

function initialized(dataSource: TypeOrmDataSource): TypeOrmDriver {
  if (dataSource.isInitialized) return dataSource.driver;
  throw new ConfigurationError(
    'The DataSource is not initialized, or was destroyed: await dataSource.initialize() first',
  );
}
