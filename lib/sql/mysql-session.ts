import { callThrough, textOf, withoutLiterals } from './sent-statements.js';
import type { SessionDriver, TransactionState } from './session.js';

/** Flags of the server's status, part of every OK packet. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

export interface MysqlSessionOptions {
  /** It was just opened, and nothing was sent on it. */
  fresh?: boolean;
}

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
}

/** A callback connection of the MySQL family, of either driver. */
export abstract class MysqlSession<R extends Raw> implements SessionDriver {
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

  get lastStatement(): string | undefined {
    return this.sent === undefined ? undefined : withoutLiterals(this.sent, { quoted: true });
  }

  rollback(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.connection.query({ sql: 'ROLLBACK' }, (error) => (error ? reject(error) : resolve()));
    });
  }
}
