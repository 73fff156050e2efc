import { ConfigurationError } from '../errors/setup-errors.js';
import { toDatabaseError } from './database-errors.js';
import { joinedConnection } from './joined-connection.js';
import { MikroOrmCommitListeners } from './mikro-orm-commit-listeners.js';
import { type MikroOrmBelow, mikroOrmBelow } from './mikro-orm-pool.js';
import { protectOnMikroOrm } from './mikro-orm-schema.js';
import { isOver, type MikroOrmEntityManager, openTransactionOf } from './mikro-orm-transaction.js';
import { ormTransaction } from './orm-transaction.js';
import { listenOnPostgres } from './pg-listener.js';
import { PooledConnection } from './pooled-connection.js';
import type {
  JoinedTransaction,
  OrmTransactionOptions,
  OwnTables,
  SqlConnection,
  SqlExecutor,
  SqlTransaction,
  TableProtection,
} from './sql-executor.js';

/**
 * An executor for MikroORM (6.6 or 7.2 and newer): pass `orm` or `orm.em`. Our statements go to the driver connection
 * below MikroORM, so they are bound and prepared, and MikroORM does not log them.
 *
 * @throws ConfigurationError for other values, or a database other than PostgreSQL, MySQL or MariaDB.
 */
export function mikroOrmExecutor(emOrOrm: object): SqlExecutor {
  const em = 'em' in emOrOrm && 'connect' in emOrOrm ? (emOrOrm as { em: object }).em : emOrOrm;
  if (typeof (em as Partial<MikroOrmEntityManager>).getTransactionContext !== 'function') {
    throw new ConfigurationError('invalid argument of mikroOrmExecutor(): pass orm.em, or the MikroORM instance');
  }
  return new MikroOrmExecutor(em as MikroOrmEntityManager, mikroOrmBelow(em as MikroOrmEntityManager));
}

class MikroOrmExecutor extends PooledConnection implements SqlExecutor {
  readonly listen?: NonNullable<SqlExecutor['listen']>;
  private readonly commitListeners: MikroOrmCommitListeners;
  private readonly joinedTo = new WeakMap<object, SqlConnection>();

  constructor(
    private readonly em: MikroOrmEntityManager,
    private readonly below: MikroOrmBelow,
  ) {
    super({ ...below.pool, setting: 'pool.max' });
    this.commitListeners = MikroOrmCommitListeners.of(em);
    if (this.dialect.canListen) this.listen = this.openListener.bind(this);
  }

  ormTransaction<T>(
    work: (handle: unknown, tx: SqlTransaction) => Promise<T>,
    options?: OrmTransactionOptions,
  ): Promise<T> {
    return this.atLevel('read committed', work, options);
  }

  ormSnapshot<T>(work: (handle: unknown, tx: SqlTransaction) => Promise<T>): Promise<T> {
    return this.atLevel('repeatable read', work);
  }

  join(handle: unknown): JoinedTransaction {
    return this.joined(openTransactionOf(handle, this.em), handle as MikroOrmEntityManager);
  }

  ambient(): JoinedTransaction | undefined {
    const context = this.em.getTransactionContext();
    return context && !isOver(context) ? this.joined(context, this.em) : undefined;
  }

  protectTables(own: OwnTables): TableProtection {
    return protectOnMikroOrm(this.em.config, own);
  }

  private atLevel<T>(
    isolationLevel: string,
    work: (handle: unknown, tx: SqlTransaction) => Promise<T>,
    options?: OrmTransactionOptions,
  ): Promise<T> {
    // A fork of the global one, even when the caller has an open transaction: this is our own.
    const fork = () => this.em.fork({ disableContextResolution: true });
    return ormTransaction<MikroOrmEntityManager, T>(
      async (inside) => {
        await this.below.watch(this.report);
        const arrived = this.waits.begin();
        const begun = (em: MikroOrmEntityManager) => {
          arrived();
          return inside(em);
        };
        return fork()
          .transactional(begun, { isolationLevel })
          .catch((error: unknown) => {
            arrived(error);
            throw error;
          });
      },
      (em) => work(em, this.join(em)),
      options,
    );
  }

  private joined(context: object, em: MikroOrmEntityManager): JoinedTransaction {
    return {
      ...this.connectionOf(context),
      afterCommit: (listener) => this.commitListeners.addAfter(em, context, listener),
      beforeCommit: (work) => {
        const root = this.connectionOf(this.commitListeners.rootOf(context));
        return this.commitListeners.addBefore(em, context, () => work(root));
      },
    };
  }

  private connectionOf(context: object): SqlConnection {
    const connect = () => this.below.connectionOf(context);
    const known = this.joinedTo.get(context);
    const connection = known ?? joinedConnection(this.dialect, () => !isOver(context), connect);
    if (!known) this.joinedTo.set(context, connection);
    return connection;
  }

  private async openListener(channels: readonly string[], onNotify: (channel: string, payload: string) => void) {
    try {
      const { Client, options } = await this.below.listenOptions();
      return await listenOnPostgres(Client, options, channels, onNotify);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}
