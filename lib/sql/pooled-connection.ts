import { ACQUIRE_MS, answerWithin, STATEMENT_MS } from './session.js';
import { isConnectionLost, toDatabaseError } from './database-errors.js';
import { byFamily, type Dialect, render, type RenderedStatement } from './dialects/dialect.js';
import type { Statement } from './dialects/statement.js';
import {
  atReadCommitted,
  type ConnectionPool,
  type DriverConnection,
  ignoreError,
  isPlainRead,
  type LeasedConnection,
} from './driver-connection.js';
import { OpenTransaction } from './open-transaction.js';
import type { PoolCounts } from './pool-counts.js';
import { type PoolWait, PoolWaits } from './pool-waits.js';
import type { LeftOpen, OrmTransactionOptions, SqlConnection, SqlResult, SqlTransaction } from './sql-executor.js';
import { refuseTooLarge } from './statement-size.js';
import { retryTransaction } from './orm-transaction.js';

/** A bit of `wsrep_sync_wait`: wait before reads and before a transaction begins. */
const BEFORE_READS = 1;

const SHOW = `SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_sync_wait')`;
const set = (syncWait: number): string => `SET SESSION wsrep_sync_wait = ${syncWait}`;

/**
 * MySQL family: a transaction that sees all earlier commits of every server of a cluster. A Galera node may lag behind
 * the one that confirmed a COMMIT or crashed in it. It waits only where a transaction begins, so the session must be
 * set before.
 */
export class TransactionInStep extends OpenTransaction {
  /** The app's own setting; undefined outside such clusters. */
  private syncWait: number | undefined;

  override async begin(): Promise<void> {
    const syncWait = await this.ownSyncWait();
    if (syncWait !== undefined) {
      this.syncWait = syncWait;
      await this.command(set(syncWait | BEFORE_READS));
    }
    await super.begin();
  }

  override async commit(): Promise<void> {
    await super.commit();
    await this.putBack();
  }

  override async rollback(): Promise<void> {
    await super.rollback();
    await this.putBack();
  }

  private async ownSyncWait(): Promise<number | undefined> {
    const { rows } = await this.guard(answerWithin(STATEMENT_MS, this.connection.execute({ text: SHOW, params: [] })));
    const variables = new Map(rows.map((row) => [row['Variable_name'], row['Value']]));
    return variables.get('wsrep_on') === 'ON' ? Number(variables.get('wsrep_sync_wait')) : undefined;
  }

  private async putBack(): Promise<void> {
    const { syncWait } = this;
    this.syncWait = undefined;
    if (syncWait === undefined || this.broken) return;
    await answerWithin(STATEMENT_MS, this.connection.command(set(syncWait))).catch(() => (this.broken = true));
  }
}

export interface TransactionOptions extends OrmTransactionOptions {
  /** At REPEATABLE READ. */
  snapshot?: boolean;
  /** Sees all earlier commits of every server of a cluster. */
  latest?: boolean;
}

/** `run` and `transaction` over any pool. Holds a connection only during a statement or transaction. */
export class PooledConnection implements SqlConnection {
  readonly dialect: Dialect;

  private readonly listeners: ((left: LeftOpen) => void)[] = [];

  protected readonly waits: PoolWaits;

  constructor(private readonly pool: ConnectionPool) {
    this.dialect = pool.dialect;
    this.waits = new PoolWaits(pool);
  }

  onPoolWait(listener: (wait: PoolWait) => void, afterMs?: number): void {
    this.waits.onWait(listener, afterMs);
  }

  poolCounts(): PoolCounts | undefined {
    return this.pool.counts?.();
  }

  onLeftOpen(listener: (left: LeftOpen) => void): void {
    this.listeners.push(listener);
  }

  protected readonly report = (left: LeftOpen): void => {
    for (const listener of this.listeners) listener(left);
  };

  /** A single statement is a transaction too: it is retried after a deadlock. */
  run<Row>(statement: Statement): Promise<SqlResult<Row>> {
    const rendered = render(statement, this.dialect);
    return retryTransaction(() => this.runOnce<Row>(rendered));
  }

  /** In a transaction, because a proxy may route a single read to any server. */
  readLatest<Row>(read: Statement): Promise<SqlResult<Row>> {
    return byFamily(this.dialect, {
      postgres: () => this.run<Row>(read),
      mysql: () => this.rawTransaction((_raw, tx) => tx.run<Row>(read), { latest: true }),
    });
  }

  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return this.rawTransaction((_raw, tx) => work(tx));
  }

  /** Like `transaction`, with the driver's own connection. */
  protected rawTransaction<T>(
    work: (raw: object, tx: SqlTransaction) => Promise<T>,
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
      // Otherwise the unused isolation level would apply to the app's next transaction.
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

  /** Whether a transaction is still open, because the app's sessions run without autocommit. */
  private isUncommitted({ session }: LeasedConnection): boolean {
    return byFamily(this.dialect, { postgres: () => false, mysql: () => session.state !== 'none' });
  }

  private setsIsolation({ text }: RenderedStatement): boolean {
    return byFamily(this.dialect, { postgres: () => false, mysql: () => !isPlainRead(text) });
  }

  private async attempt<T>(
    work: (raw: object, tx: SqlTransaction) => Promise<T>,
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
      tx.tell();
    }
  }

  /** Returns a connection without an open transaction. */
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
    const arrived = this.waits.begin();
    try {
      return await answerWithin(ACQUIRE_MS, acquired);
    } catch (error) {
      arrived(error);
      // A connection that arrives too late is released at once.
      acquired.then((leased) => leased.release(false), ignoreError);
      throw toDatabaseError(error);
    } finally {
      arrived();
    }
  }
}

const cannotRollBack = (connection: DriverConnection): Promise<boolean> =>
  answerWithin(STATEMENT_MS, connection.command('ROLLBACK')).then(
    () => false,
    () => true,
  );
