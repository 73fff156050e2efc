import type { Transaction } from '../protocol/transaction.js';
import type { Dialect } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';

export interface SqlResult<Row> {
  /**
   * Rows of a SELECT or RETURNING. Integers are numbers, or text beyond 2^53, and sums and decimals may be text: read
   * them with `Number()`. JSON and times are text. Booleans are 0 and 1 on the MySQL family.
   */
  rows: Row[];
  /**
   * Rows selected, inserted, deleted, or matched by an UPDATE; rows that `insertOrKeep` left alone do not count. On the
   * MySQL family rows that `onConflictUpdate` changed count twice.
   */
  affected: number;
}

/** Something that runs statements: a pool, or one connection inside a transaction. */
export interface SqlConnection {
  readonly dialect: Dialect;
  /**
   * Values are bound, never written into the text.
   *
   * @throws DatabaseError with the driver's error as `cause`, and `transient` when trying again may help.
   */
  run<Row = Record<string, unknown>>(statement: Statement): Promise<SqlResult<Row>>;
}

/** One connection while a transaction is open on it. */
export interface SqlTransaction extends SqlConnection, Transaction {}

export type CommitWork = (tx: SqlConnection) => Promise<void>;

/** The caller's own open transaction, joined. */
export interface JoinedTransaction extends SqlTransaction {
  /**
   * `work` is called once and awaited right before the outermost COMMIT, all works of a transaction at once and in the
   * order in which they were added; never when that transaction, or the savepoint it was added in, is rolled back. It
   * gets the outermost transaction, the same object as the others. A throw fails the commit: the app's transaction rolls back, and the error is what
   * the app gets.
   *
   * Returns false if the COMMIT is on its way already: then `work` is not called.
   */
  beforeCommit?(work: CommitWork): boolean;
}

/** A connection of ours beside the pool that hears notifications. */
export interface Listener {
  /** Resolves when the connection has ended, for whatever reason. Never rejects. */
  readonly ended: Promise<void>;
  /** Makes sure the connection still answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A transaction was left open on a connection that somebody gave back to the pool. */
export interface LeftOpen {
  /** The last statement on it, without values, where it is known. */
  statement?: string;
}

export interface OrmTransactionOptions {
  /**
   * The victim of a deadlock is not run again: the caller looks first whether an earlier try was committed. Where servers
   * take over from each other, a conflict may be with that very try.
   */
  once?: boolean;
}

/**
 * The only door to the database: the app's own connection pool, seen through its ORM. A lone `run` is a transaction at
 * READ COMMITTED too, which runs again as the victim of a deadlock. Neither it nor a transaction of ours ever joins one
 * that somebody left open on a connection of the pool.
 */
export interface SqlExecutor extends SqlConnection {
  /**
   * A READ COMMITTED transaction of our own: commits when `work` resolves, rolls back when it throws. Deadlocks,
   * lock timeouts and serialization failures run the whole of `work` again, so it must not act outside of `tx`.
   * A statement that failed dooms it, also when `work` catches the error. A lost connection is thrown, not tried
   * again, since its commit may have happened; where its COMMIT was under way, what was to be called after that is.
   */
  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * The same, for work that wants the ORM's own handle: TypeORM's `EntityManager` in a transaction, or a
   * fork of MikroORM's with its transaction open. `tx` is the same transaction. Only of statements by the handle nothing
   * is known here: where `work` may have caught the error of one, its last statement has to be one by `tx` that shows
   * whether the transaction still stands. COMMIT does not.
   */
  ormTransaction<T>(
    work: (handle: unknown, tx: SqlTransaction) => Promise<T>,
    options?: OrmTransactionOptions,
  ): Promise<T>;
  /** The same at REPEATABLE READ: whatever is read by the handle and by `tx` is of one moment, that of the first read. */
  ormSnapshot?<T>(work: (handle: unknown, tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * A lone read of all that any server of a cluster has committed before it, where the one that answers may be behind. A
   * plain `run` is taken where there is none.
   */
  readLatest?<Row = Record<string, unknown>>(read: Statement): Promise<SqlResult<Row>>;
  /** `listener` hears of transactions that were left open on pooled connections; they are rolled back. */
  onLeftOpen?(listener: (left: LeftOpen) => void): void;
  /** @throws InvalidTransactionError (a `TypeError`) when `handle` is not one of this ORM with an open transaction. */
  join(handle: unknown): JoinedTransaction;
  /** The transaction that surrounds the caller, where the ORM knows it (MikroORM). */
  ambient?(): JoinedTransaction | undefined;
  /** Opens a connection outside of the pool and hears `channels`. PostgreSQL only. */
  listen?(channels: readonly string[], onNotify: (channel: string, payload: string) => void): Promise<Listener>;
}
