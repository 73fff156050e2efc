import { AUTOCOMMIT, stateOf } from './mysql2-session.js';
import { callThrough, textOf, withoutLiterals } from './sent-statements.js';
import { Session, sessionOf, type SessionDriver, type TransactionState } from './session.js';

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  readonly info?: { readonly status?: number } | null;
}

type Callback = (error: unknown, ...more: unknown[]) => unknown;

class MariaDbSession implements SessionDriver {
  private sent: string | undefined;

  constructor(
    private readonly connection: Raw,
    private flags: number | undefined,
  ) {
    for (const method of ['query', 'execute']) {
      callThrough(connection, method, (args, call) => {
        this.sent = textOf(args[0]);
        return call(this.hearing(args));
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

  /** After an error the connector takes any session for one in a transaction, so only answers count. */
  private hearing(args: unknown[]): unknown[] {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return args;
    const heard: Callback = (error, ...more) => {
      if (!error) this.flags = this.connection.info?.status;
      return (callback as Callback)(error, ...more);
    };
    return [...args.slice(0, -1), heard];
  }
}

/** `fresh`: it has just been opened, so nothing was sent on it. */
export const mariaDbSession = (connection: Raw, { fresh = false } = {}): Session =>
  sessionOf(connection, () => new Session(new MariaDbSession(connection, fresh ? AUTOCOMMIT : undefined)));
