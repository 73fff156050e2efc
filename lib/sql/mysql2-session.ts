import { sleep } from '../time/sleep.js';
import { MysqlSession, type MysqlSessionOptions } from './mysql-session.js';
import { callThrough, isRollback } from './sent-statements.js';
import { Session, sessionOf } from './session.js';

/** Whoever holds a connection that has refused its ROLLBACK has this long to give it back. */
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
  /** How often it was given back to its pool. */
  private returns = 0;

  givenBack(): void {
    this.returns++;
  }

  /** Whatever begins or ends a transaction is answered by a header of its own. */
  protected send(args: unknown[], call: (args: unknown[]) => unknown): unknown {
    const command = call(args) as Command | undefined;
    command?.on?.('result', (header) => {
      if (typeof header?.serverStatus === 'number' && 'affectedRows' in header) this.flags = header.serverStatus;
    });
    if (isRollback(this.sent)) command?.on?.('end', () => this.state === 'open' && this.destroyIfKept());
    return command;
  }

  /** Kysely, below MikroORM 7, never gives back a connection that has refused its ROLLBACK. */
  private destroyIfKept(): void {
    const { returns, sent } = this;
    void sleep(GRACE_MS).then(() => returns === this.returns && sent === this.sent && this.connection.destroy());
  }
}

/**
 * Of a pooled connection; one that is given back with a transaction open gets into the pool once that is rolled back, or
 * not at all.
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
