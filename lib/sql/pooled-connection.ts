import { ACQUIRE_MS, answerWithin, STATEMENT_MS } from './answer-within.js';
import { isConnectionLost, toDatabaseError } from './database-errors.js';
import type { Dialect } from './dialect.js';
import { type ConnectionPool, type DriverConnection, ignoreError, type LeasedConnection } from './driver-connection.js';
import { OpenTransaction } from './open-transaction.js';
import { atReadCommitted, isPlainRead } from './read-committed.js';
import { render, type RenderedStatement } from './render.js';
import type { LeftOpen, OrmTransactionOptions, SqlConnection, SqlResult } from './sql-executor.js';
import type { Statement } from './statement.js';
import { refuseTooLarge } from './statement-size.js';
import { TransactionInStep } from './transaction-in-step.js';
import { retryTransaction } from './transaction-retry.js';

export interface TransactionOptions extends OrmTransactionOptions {
  /** At REPEATABLE READ. */
  snapshot?: boolean;
  /** With all that any server of a cluster has committed before. */
  latest?: boolean;
}

/** `run` and `transaction` over any pool. Holds a connection only while a statement or transaction is under way. */
export class PooledConnection implements SqlConnection {
  readonly dialect: Dialect;

  private readonly listeners: ((left: LeftOpen) => void)[] = [];

  constructor(private readonly pool: ConnectionPool) {
    this.dialect = pool.dialect;
  }

  onLeftOpen(listener: (left: LeftOpen) => void): void {
    this.listeners.push(listener);
  }

  protected readonly report = (left: LeftOpen): void => {
    for (const listener of this.listeners) listener(left);
  };

  /** A lone statement is a transaction too: as the victim of a deadlock it runs again. */
  run<Row>(statement: Statement): Promise<SqlResult<Row>> {
    const rendered = render(statement, this.dialect);
    return retryTransaction(() => this.runOnce<Row>(rendered));
  }

  /** In a transaction, which a proxy does not send to whichever server is free. */
  readLatest<Row>(read: Statement): Promise<SqlResult<Row>> {
    if (this.dialect.family === 'postgres') return this.run(read);
    return this.rawTransaction((_raw, tx) => tx.run<Row>(read), { latest: true });
  }

  transaction<T>(work: (tx: SqlConnection) => Promise<T>): Promise<T> {
    return this.rawTransaction((_raw, tx) => work(tx));
  }

  /** The same, with the driver's own connection. */
  protected rawTransaction<T>(
    work: (raw: object, tx: SqlConnection) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const attempt = () => this.attempt(work, options);
    return options.once ? attempt() : retryTransaction(attempt);
  }

  private async runOnce<Row>(rendered: RenderedStatement): Promise<SqlResult<Row>> {
    const leased = await this.acquire();
    let broken = false;
    try {
      const checked = refuseTooLarge(leased.connection, this.dialect, rendered);
      if (checked) await checked;
      const answer = (await this.execute(leased.connection, rendered)) as SqlResult<Row>;
      if (this.isUncommitted(leased)) await answerWithin(STATEMENT_MS, leased.connection.command('COMMIT'));
      return answer;
    } catch (error) {
      broken = isConnectionLost(error);
      // Or the isolation level that this statement has not used up would be that of the app's next transaction.
      if (!broken && this.setsIsolation(rendered)) broken = await cannotRollBack(leased.connection);
      throw toDatabaseError(error);
    } finally {
      leased.release(broken);
    }
  }

  private async execute(connection: DriverConnection, rendered: RenderedStatement): Promise<SqlResult<unknown>> {
    if (!this.setsIsolation(rendered)) return answerWithin(STATEMENT_MS, connection.execute(rendered));
    const answer = atReadCommitted(connection, this.dialect, () => connection.execute(rendered));
    return answerWithin(STATEMENT_MS, answer);
  }

  /** The app's sessions are without autocommit. */
  private isUncommitted({ session }: LeasedConnection): boolean {
    return this.dialect.family === 'mysql' && session.state !== 'none';
  }

  private setsIsolation({ text }: RenderedStatement): boolean {
    return this.dialect.family === 'mysql' && !isPlainRead(text);
  }

  private async attempt<T>(
    work: (raw: object, tx: SqlConnection) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    const leased = await this.acquire();
    const TransactionClass = options.latest ? TransactionInStep : OpenTransaction;
    const tx = new TransactionClass(leased.connection, this.dialect);
    try {
      await tx.begin(options);
      const answer = await work(leased.raw, tx);
      await tx.commit();
      return answer;
    } catch (error) {
      await tx.rollback();
      throw error;
    } finally {
      leased.release(tx.broken);
    }
  }

  /** A connection without a transaction on it. */
  private async acquire(): Promise<LeasedConnection> {
    const leased = await this.lease();
    const ending = leased.session.end();
    if (!ending) return leased;
    try {
      await answerWithin(STATEMENT_MS, ending);
      return leased;
    } catch (error) {
      leased.release(true);
      throw toDatabaseError(error);
    }
  }

  private async lease(): Promise<LeasedConnection> {
    const acquired = this.pool.acquire(this.report);
    try {
      return await answerWithin(ACQUIRE_MS, acquired);
    } catch (error) {
      // One that comes too late goes back at once.
      acquired.then((leased) => leased.release(false), ignoreError);
      throw toDatabaseError(error);
    }
  }
}

const cannotRollBack = (connection: DriverConnection): Promise<boolean> =>
  answerWithin(STATEMENT_MS, connection.command('ROLLBACK')).then(
    () => false,
    () => true,
  );
