import { sleep } from '../time/sleep.js';
import { MysqlSession, type MysqlSessionOptions } from './mysql-session.js';
import { callThrough, isRollback } from './sent-statements.js';
import { Session, sessionOf } from './session.js';

/** The holder of a connection that failed its ROLLBACK has this long to release it. */
const GRACE_MS = 1_000;

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  destroy(): void;
}

interface Command {
  on?(event: 'result', listener: (header: { serverStatus?: unknown } | null) => void): unknown;
  on?(event: 'end', listener: () => void): unknown;
}

class Mysql2Session extends MysqlSession<Raw> {
  /** How often it was returned to its pool. */
  private returns = 0;

  givenBack(): void {
    this.returns++;
  }

  /** Statements that begin or end a transaction have their own result header. */
  protected send(args: unknown[], call: (args: unknown[]) => unknown): unknown {
    const command = call(args) as Command | undefined;
    command?.on?.('result', (header) => {
      if (typeof header?.serverStatus === 'number' && 'affectedRows' in header) this.flags = header.serverStatus;
    });
    if (isRollback(this.sent)) command?.on?.('end', () => this.state === 'open' && this.destroyIfKept());
    return command;
  }

  /** Kysely, below MikroORM 7, never releases a connection that failed its ROLLBACK. */
  private destroyIfKept(): void {
    const { returns, sent } = this;
    void sleep(GRACE_MS).then(() => returns === this.returns && sent === this.sent && this.connection.destroy());
  }
}

/**
 * The session of a pooled connection. A connection released with an open transaction returns to the pool after its
 * rollback; if that fails, it does not return.
 */
export const mysql2Session = (connection: Raw, options: MysqlSessionOptions = {}): Session =>
  sessionOf(connection, () => {
    const driver = new Mysql2Session(connection, options);
    const session = new Session(driver);
    callThrough(connection, 'release', (args, release) => {
      driver.givenBack();
      const ending = session.endLeft();
      if (!ending) return release(args);
      return ending.then(
        () => void release(args),
        () => connection.destroy(),
      );
    });
    return session;
  });
