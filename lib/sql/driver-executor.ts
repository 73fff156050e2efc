import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfigurationError, InvalidTransactionError } from '../core/errors.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { type ConnectionPool, PooledConnection, type TransactionOptions } from './connections.js';
import { toDatabaseError } from './database-errors.js';
import { DIALECTS } from './dialects.js';
import {
  type JoinedTransaction,
  type OrmTransactionOptions,
  type OrmWork,
  runCommitWorks,
  type SqlExecutor,
  type SqlTransaction,
} from './executor.js';
import { type Mysql2Pool, mysql2Pool } from './mysql2.js';
import { listenOnPostgres, type PgAppPool, type PgPool, pgPool } from './pg.js';
import { ownSessionsOfPg, ownFirst } from './pg-sessions.js';
import { ignoreError } from './pools.js';

export interface DriverExecutorOptions {
  /** The database of a `mysql2` pool. Default `'mysql'`. */
  dialect?: 'mysql' | 'mariadb';
}

const OPTIONS = { dialect: true } satisfies KnownOptions<DriverExecutorOptions>;

/**
 * An executor without an ORM: pass a `Pool` of `pg`, or a pool of `mysql2` (callbacks or promises). The handle of
 * `ormTransaction` is the driver's client; only such a handle can be joined, while its transaction is open.
 */
export function driverExecutor(pool: object, options: DriverExecutorOptions = {}): SqlExecutor {
  const { dialect = 'mysql' } = checkedOptions(options, OPTIONS, 'driverExecutor');
  if ('connect' in pool && 'totalCount' in pool) {
    const clients: unknown = pool;
    return new DriverExecutor(
      pgPool(() => clients as PgPool),
      clients as PgAppPool,
    );
  }
  const callbacks: unknown = 'pool' in pool ? pool.pool : pool;
  if (typeof (callbacks as Partial<Mysql2Pool> | null)?.getConnection === 'function') {
    return new DriverExecutor(mysql2Pool(DIALECTS[dialect], () => callbacks as Mysql2Pool));
  }
  throw new ConfigurationError('invalid argument of driverExecutor(): pass a pool of pg or mysql2');
}

interface OpenWork {
  readonly tx: SqlTransaction;
  readonly works: (() => Promise<void>)[];
}

class DriverExecutor extends PooledConnection implements SqlExecutor {
  readonly listen?: NonNullable<SqlExecutor['listen']>;
  /** Handles with an open transaction, with the works to run before its commit. */
  private readonly open = new Map<unknown, OpenWork>();
  /** The handle of the transaction that we have opened around the caller. */
  private readonly around = new AsyncLocalStorage<unknown>();

  constructor(pool: ConnectionPool, listenPool?: PgAppPool) {
    super(pool, listenPool && ownFirst(pool, () => ownSessionsOfPg(listenPool)));
    if (!listenPool) return;
    // Idle clients that die have already left the pool; without a listener, the event would end the process.
    listenPool.on('error', ignoreError);
    this.listen = (channels, onNotify) =>
      listenOnPostgres(listenPool.Client, listenPool.options, channels, onNotify).catch((error: unknown) => {
        throw toDatabaseError(error);
      });
  }

  ormTransaction<T>(work: OrmWork<T>, options: OrmTransactionOptions = {}): Promise<T> {
    return this.opened(work, options);
  }

  ormSnapshot<T>(work: OrmWork<T>): Promise<T> {
    return this.opened(work, { snapshot: true });
  }

  private opened<T>(work: OrmWork<T>, options: TransactionOptions): Promise<T> {
    return this.rawTransaction(async (raw, tx) => {
      const works: OpenWork['works'] = [];
      this.open.set(raw, { tx, works });
      try {
        const done = await this.around.run(raw, () => work(raw, tx));
        await runCommitWorks(() => works.splice(0));
        return done;
      } finally {
        this.open.delete(raw);
      }
    }, options);
  }

  ambient(): JoinedTransaction | undefined {
    const handle = this.around.getStore();
    return this.open.has(handle) ? this.join(handle) : undefined;
  }

  join(handle: unknown): JoinedTransaction {
    const open = this.open.get(handle);
    if (!open) {
      throw new InvalidTransactionError(
        'The given transaction does not belong to this pool: pass the handle of an ormTransaction() that is still open, or use an executor of your ORM',
      );
    }
    const { tx, works } = open;
    return {
      dialect: tx.dialect,
      run: (statement) => tx.run(statement),
      afterCommit: (work) => tx.afterCommit(work),
      beforeCommit: (work) => this.open.get(handle) === open && works.push(() => work(tx)) > 0,
    };
  }
}
