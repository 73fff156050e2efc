import type { Transaction } from '../protocol/transaction.js';
import type { Dialect } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';
import type { PoolCounts } from './pool-counts.js';
import type { PoolWait } from './pool-waits.js';
import { InvalidTransactionError } from '../errors/argument-errors.js';

export interface SqlResult<Row> {
  /**
   * Rows of a SELECT or RETURNING. Integers are numbers, or text beyond 2^53. Sums and decimals may be text: read them
   * with `Number()`. JSON and times are text. Booleans are 0 and 1 on the MySQL family.
   */
  rows: Row[];
  /**
   * Rows selected, inserted, deleted, or matched by an UPDATE; rows that `insertOrKeep` kept do not count. On the MySQL
   * family, rows that `onConflictUpdate` changed count twice.
   */
  affected: number;
}

/** Runs statements: a pool, or one connection inside a transaction. */
export interface SqlConnection {
  readonly dialect: Dialect;
  /**
   * Values are bound, never inserted into the text.
   *
   * @throws DatabaseError with the driver's error as `cause`; `transient` when a retry may help.
   */
  run<Row = Record<string, unknown>>(statement: Statement): Promise<SqlResult<Row>>;
}

/** One connection with an open transaction. */
export interface SqlTransaction extends SqlConnection, Transaction {}

export type CommitWork = (tx: SqlConnection) => Promise<void>;

/** The caller's own open transaction, joined. If the reply to its COMMIT is lost, after-commit callbacks do not run. */
export interface JoinedTransaction extends SqlTransaction {
  /**
   * Calls and awaits `work` once, right before the outermost COMMIT. All works of a transaction are called together, in
   * the order in which they were added, with the outermost transaction as one shared `tx` object. `work` is not called
   * if that transaction, or the savepoint in which it was added, is rolled back. If it throws, the commit fails: the
   * app's transaction rolls back and the app receives the error.
   *
   * Returns false if COMMIT was already sent: then `work` is not called.
   */
  beforeCommit?(work: CommitWork): boolean;
}

/** A connection of ours outside the pool that receives notifications. */
export interface Listener {
  /** Resolves when the connection has ended, for any reason. Never rejects. */
  readonly ended: Promise<void>;
  /** Checks that the connection still responds. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A connection was returned to the pool with an open transaction. */
export interface LeftOpen {
  /** The last statement on it, without values, if known. */
  statement?: string;
}

export interface OrmTransactionOptions {
  /**
   * Deadlocks are not retried: the caller first checks whether an earlier try was committed. In a cluster with
   * failover, the conflict may be with that earlier try itself.
   */
  once?: boolean;
}

/** Our tables, for ORMs whose schema commands drop what has no entity. */
export interface OwnTables {
  readonly names: readonly string[];
  /** Functions that no trigger calls directly. */
  readonly hasFunctions: boolean;
  /** The code that returns the names, to be shown to the user. */
  readonly expression: string;
}

export interface TableProtection {
  /** Why this process could not be told, either; undefined if it was. */
  readonly obstacle?: string | undefined;
  /** What the configuration of the app lacks to protect the tables itself, as text; empty if nothing. */
  readonly lacking: readonly string[];
}

/**
 * The only access to the database: the app's own connection pool, through its ORM. A single `run` is a READ COMMITTED
 * transaction too, which is retried after a deadlock. Neither it nor a transaction of ours ever joins a transaction
 * that was left open on a pooled connection.
 */
export interface SqlExecutor extends SqlConnection {
  /**
   * A READ COMMITTED transaction of our own: commits when `work` resolves, rolls back when it throws. After a deadlock,
   * lock timeout or serialization failure all of `work` runs again, so it must have no effects outside `tx`. A failed
   * statement dooms the transaction, even if `work` catches the error. A lost connection is not retried, because the
   * commit may have happened: the error is thrown, and after-commit callbacks do not run.
   */
  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, but also passes the ORM's own handle: TypeORM's `EntityManager` in a transaction, or a fork of
   * MikroORM's with an open one. `tx` is the same transaction. The executor does not see statements of the handle: if
   * `work` may catch an error of one, it must end with a statement by `tx` that shows whether the transaction is still
   * alive. COMMIT does not show it.
   */
  ormTransaction<T>(
    work: (handle: unknown, tx: SqlTransaction) => Promise<T>,
    options?: OrmTransactionOptions,
  ): Promise<T>;
  /** Like `ormTransaction`, at REPEATABLE READ: reads by the handle and by `tx` see the snapshot of the first read. */
  ormSnapshot?<T>(work: (handle: unknown, tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * A single read that sees all earlier commits of every server of a cluster, even if the server that runs it lags
   * behind. Callers use `run` if it is missing.
   */
  readLatest?<Row = Record<string, unknown>>(read: Statement): Promise<SqlResult<Row>>;
  /** Calls `listener` when a pooled connection was left with an open transaction, which is rolled back. */
  onLeftOpen?(listener: (left: LeftOpen) => void): void;
  /**
   * Calls `listener` while a statement waits for a connection for longer than `afterMs` (default 5 s), and when the pool
   * itself gives up.
   */
  onPoolWait?(listener: (wait: PoolWait) => void, afterMs?: number): void;
  /** How the pool's connections are used now, by all code of the app; undefined if the pool does not tell. */
  poolCounts?(): PoolCounts | undefined;
  /** @throws InvalidTransactionError (a `TypeError`) when `handle` is not one of this ORM with an open transaction. */
  join(handle: unknown): JoinedTransaction;
  /** The transaction that surrounds the caller, if the ORM knows it (MikroORM). */
  ambient?(): JoinedTransaction | undefined;
  /** Makes the ORM's schema commands leave our tables alone in this process, if they would drop them (MikroORM). */
  protectTables?(own: OwnTables): TableProtection;
  /** Opens a connection outside the pool and listens to `channels`. PostgreSQL only. */
  listen?(channels: readonly string[], onNotify: (channel: string, payload: string) => void): Promise<Listener>;
}

/**
 * Casts the transaction of a port to the type that the database adapters need.
 *
 * @throws InvalidTransactionError for a transaction of another storage.
 */
export function sqlTransaction(tx: Transaction): SqlTransaction {
  if ('run' in tx && 'dialect' in tx && 'afterCommit' in tx) return tx as SqlTransaction;
  throw new InvalidTransactionError(
    'The transaction does not belong to this database: pass one that the same storage opened',
  );
}

/** The connection of a port's statement: `tx` if it was given, else the executor. */
export const connectionOf = (db: SqlExecutor, tx: Transaction | undefined): SqlConnection =>
  tx ? sqlTransaction(tx) : db;

/** Runs `work` in `tx` if it was given, else in a new transaction. */
export const inTransaction = <T>(
  db: SqlExecutor,
  tx: Transaction | undefined,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> => (tx ? work(sqlTransaction(tx)) : db.transaction(work));
