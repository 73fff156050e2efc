import { InvalidTransactionError, StatementTooLargeError } from '../errors.js';
import { answerWithin, STATEMENT_MS } from './answer-within.js';
import { isConnectionLost, toDatabaseError } from './database-errors.js';
import type { Dialect } from './dialect.js';
import type { DriverConnection } from './driver-connection.js';
import { atReadCommitted } from './read-committed.js';
import { render } from './render.js';
import type { SqlConnection, SqlResult } from './sql-executor.js';
import type { Statement } from './statement.js';
import { refuseTooLarge } from './statement-size.js';

/** Building an index, and waiting for another process that migrates. */
const TAKES_ITS_TIME = /^\s*(create|alter|drop|select (get_lock|pg_advisory))\b/i;

/** A transaction of our own on one connection. A failed statement dooms it, as PostgreSQL does anyway. */
export class OpenTransaction implements SqlConnection {
  /** Whether the connection must not be used again. */
  broken = false;
  private ended = false;
  private failure: Error | undefined;

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

  /** `snapshot`: at REPEATABLE READ, where all is read of one moment. */
  async begin({ snapshot = false } = {}): Promise<void> {
    const level = `ISOLATION LEVEL ${snapshot ? 'REPEATABLE READ' : 'READ COMMITTED'}`;
    if (this.dialect.family === 'postgres') return this.command(`BEGIN ${level}`);
    if (snapshot) {
      await this.command(`SET TRANSACTION ${level}`);
      return this.command('START TRANSACTION');
    }
    await this.guard(
      answerWithin(
        STATEMENT_MS,
        atReadCommitted(this.connection, this.dialect, () => this.connection.command('START TRANSACTION')),
      ),
    );
  }

  /** @throws the error of a statement that failed, though its caller may have caught it. */
  async commit(): Promise<void> {
    if (this.failure) throw this.failure;
    this.ended = true;
    await this.command('COMMIT');
  }

  /** Always sent: a lock timeout on the MySQL family rolls back only its statement. Never throws. */
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

  /** What was never sent leaves the transaction as it was. */
  private failed(error: unknown): never {
    if (error instanceof StatementTooLargeError) throw error;
    this.broken ||= isConnectionLost(error);
    this.failure ??= toDatabaseError(error);
    throw this.failure;
  }
}
