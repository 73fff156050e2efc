import { sleep } from '../time/sleep.js';
import { callThrough, textOf, withoutLiterals } from './sent-statements.js';
import { Session, sessionOf, type SessionDriver, type TransactionState } from './session.js';

/** Flags of the server's status, part of every OK packet. */
const IN_TRANSACTION = 1;
export const AUTOCOMMIT = 2;

/** Without autocommit a read opens a transaction too, and no driver passes on the status behind its rows. */
export function stateOf(flags: number | undefined): TransactionState {
  if (flags === undefined) return 'unknown';
  if (flags & IN_TRANSACTION) return 'open';
  return flags & AUTOCOMMIT ? 'none' : 'unknown';
}

/** Whoever holds a connection that has refused its ROLLBACK has this long to give it back. */
const GRACE_MS = 1_000;
const ROLLBACK = /^\s*rollback\s*;?\s*$/i;

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  destroy(): void;
}

interface Command {
  on?(event: 'result', listener: (header: { serverStatus?: unknown } | null) => void): unknown;
  on?(event: 'end', listener: () => void): unknown;
}

class Mysql2Session implements SessionDriver {
  private sent: string | undefined;
  /** How often it was given back to its pool. */
  private returns = 0;

  constructor(
    private readonly connection: Raw,
    private flags: number | undefined,
  ) {
    for (const method of ['query', 'execute']) {
      callThrough(connection, method, (args, call) => {
        this.sent = textOf(args[0]);
        const command = call(args);
        this.hear(command ?? {});
        return command;
      });
    }
  }

  get state(): TransactionState {
    return stateOf(this.flags);
  }

  get lastStatement(): string | undefined {
    return this.sent === undefined ? undefined : withoutLiterals(this.sent, { quoted: true });
  }

  rollback(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.connection.query({ sql: 'ROLLBACK' }, (error) => (error ? reject(error) : resolve()));
    });
  }

  givenBack(): void {
    this.returns++;
  }

  /** Whatever begins or ends a transaction is answered by a header of its own. */
  private hear(command: Command): void {
    command.on?.('result', (header) => {
      if (typeof header?.serverStatus === 'number' && 'affectedRows' in header) this.flags = header.serverStatus;
    });
    if (ROLLBACK.test(this.sent ?? '')) command.on?.('end', () => this.state === 'open' && this.destroyIfKept());
  }

  /** Kysely, below MikroORM 7, never gives back a connection that has refused its ROLLBACK. */
  private destroyIfKept(): void {
    const { returns, sent } = this;
    void sleep(GRACE_MS).then(() => returns === this.returns && sent === this.sent && this.connection.destroy());
  }
}

/**
 * Of a pooled connection; one that is given back with a transaction open gets into the pool once that is rolled back, or
 * not at all. `fresh`: it has just been opened, so nothing was sent on it.
 */
export const mysql2Session = (connection: Raw, { fresh = false } = {}): Session =>
  sessionOf(connection, () => {
    const driver = new Mysql2Session(connection, fresh ? AUTOCOMMIT : undefined);
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
