import { InvalidTransactionError } from '../errors/argument-errors.js';
import { StatementTooLargeError } from '../errors/database-errors.js';
import { CommitListeners } from '../protocol/transaction.js';
import { answerWithin, STATEMENT_MS } from './session.js';
import { isConnectionLost, toDatabaseError } from './database-errors.js';
import { byFamily, type Dialect, render } from './dialects/dialect.js';
import { atReadCommitted, type DriverConnection } from './driver-connection.js';
import type { SqlResult, SqlTransaction } from './sql-executor.js';
import type { Statement } from './dialects/statement.js';
import { refuseTooLarge } from './statement-size.js';

/** Statements without a timeout: building an index, or waiting for another process that migrates. */
const TAKES_ITS_TIME = /^\s*(create|alter|drop|select (get_lock|pg_advisory))\b/i;

/** One of our own transactions on one connection. A failed statement dooms it, as on PostgreSQL. */
export class OpenTransaction implements SqlTransaction {
  /** Whether the connection must not be used again. */
  broken = false;
  private ended = false;
  private failure: Error | undefined;
  private readonly listeners = new CommitListeners();
  readonly afterCommit = this.listeners.afterCommit;
  /** Whether the server has confirmed its COMMIT. */
  private committed = false;

  constructor(
    protected readonly connection: DriverConnection,
    readonly dialect: Dialect,
  ) {}

  async run<Row>(statement: Statement): Promise<SqlResult<Row>> {
    if (this.ended)
      throw new InvalidTransactionError('The transaction has ended: await every statement inside its callback');
    const rendered = render(statement, this.dialect);
    const checked = refuseTooLarge(this.connection, this.dialect, rendered);
    if (checked) await checked.catch((error: unknown) => this.failed(error));
    const answer = this.connection.execute(rendered);
    return (await this.guard(
      TAKES_ITS_TIME.test(rendered.text) ? answer : answerWithin(STATEMENT_MS, answer),
    )) as SqlResult<Row>;
  }

  /** `snapshot`: at REPEATABLE READ, where all reads see one snapshot. */
  begin({ snapshot = false } = {}): Promise<void> {
    return byFamily(this.dialect, {
      postgres: () => this.command(`BEGIN ISOLATION LEVEL ${snapshot ? 'REPEATABLE READ' : 'READ COMMITTED'}`),
      mysql: () => (snapshot ? this.beginSnapshot() : this.beginReadCommitted()),
    });
  }

  private async beginSnapshot(): Promise<void> {
    await this.command('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await this.command('START TRANSACTION');
  }

  private beginReadCommitted(): Promise<void> {
    return this.guard(
      answerWithin(
        STATEMENT_MS,
        atReadCommitted(this.connection, this.dialect, () => this.connection.command('START TRANSACTION')),
      ),
    );
  }

  /** @throws the error of a failed statement, even if its caller caught it. */
  async commit(): Promise<void> {
    if (this.failure) throw this.failure;
    this.ended = true;
    await this.command('COMMIT');
    this.committed = true;
  }

  /**
   * Calls after-commit listeners, once the connection is free for them. Not if the reply to COMMIT was lost: a hint may
   * carry an answer, which must not be used before it is committed. Polling finds what was.
   */
  tell(): void {
    if (this.committed) this.listeners.tell();
  }

  /** Always sent: on the MySQL family a lock timeout rolls back only its statement. Never throws. */
  async rollback(): Promise<void> {
    this.ended = true;
    if (!this.broken)
      await answerWithin(STATEMENT_MS, this.connection.command('ROLLBACK')).catch(() => (this.broken = true));
  }

  protected command(text: string): Promise<void> {
    return this.guard(answerWithin(STATEMENT_MS, this.connection.command(text)));
  }

  protected async guard<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      return this.failed(error);
    }
  }

  /** A statement that was not sent does not affect the transaction. */
  private failed(error: unknown): never {
    if (error instanceof StatementTooLargeError) throw error;
    this.broken ||= isConnectionLost(error);
    this.failure ??= toDatabaseError(error);
    throw this.failure;
  }
}
