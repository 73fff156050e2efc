import { sleep } from '../time/sleep.js';
import { callThrough, isRollback, textOf, withoutLiterals } from './sent-statements.js';
import { Session, type SessionDriver, sessionOf, type TransactionState } from './session.js';

/** Flags of the server's status, part of every OK packet. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

export interface MysqlSessionOptions {
  /** It was just opened, and nothing was sent on it. */
  fresh?: boolean;
}

interface RawConnection {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
}

/** A callback connection of the MySQL family, of either driver. */
export abstract class MysqlSession<R extends RawConnection> implements SessionDriver {
  protected sent: string | undefined;
  /** The last status flags from the server. */
  protected flags: number | undefined;

  constructor(
    protected readonly connection: R,
    { fresh = false }: MysqlSessionOptions,
  ) {
    if (fresh) this.flags = AUTOCOMMIT;
    for (const method of ['query', 'execute']) {
      callThrough(connection, method, (args, call) => {
        this.sent = textOf(args[0]);
        return this.send(args, call);
      });
    }
  }

  /** Sends a statement and reads the status flags of its result. */
  protected abstract send(args: unknown[], call: (args: unknown[]) => unknown): unknown;

  /** Without autocommit a read opens a transaction too, and drivers do not expose the status after its rows. */
  get state(): TransactionState {
    if (this.flags === undefined) return 'unknown';
    if (this.flags & IN_TRANSACTION) return 'open';
    return this.flags & AUTOCOMMIT ? 'none' : 'unknown';
  }

  abstract get isBusy(): boolean;

  get lastStatement(): string | undefined {
    return this.sent === undefined ? undefined : withoutLiterals(this.sent, { quoted: true });
  }

  rollback(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.connection.query({ sql: 'ROLLBACK' }, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** The holder of a connection that failed its ROLLBACK has this long to release it. */
const GRACE_MS = 1_000;

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  destroy(): void;
  /** Internal: what it sends, or waits for. */
  readonly _command?: unknown;
}

interface Command {
  on?(event: 'result', listener: (header: { serverStatus?: unknown } | null) => void): unknown;
  on?(event: 'end', listener: () => void): unknown;
}

class Mysql2Session extends MysqlSession<Raw> {
  /** How often it was returned to its pool. */
  private returns = 0;

  get isBusy(): boolean {
    return Boolean(this.connection._command);
  }

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
