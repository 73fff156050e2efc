import { MysqlSession, type MysqlSessionOptions } from './mysql-session.js';
import { Session, sessionOf } from './session.js';

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  readonly info?: { readonly status?: number } | null;
}

type Callback = (error: unknown, ...more: unknown[]) => unknown;

class MariaDbSession extends MysqlSession<Raw> {
  /** After an error the connector takes any session for one in a transaction, so only answers count. */
  protected send(args: unknown[], call: (args: unknown[]) => unknown): unknown {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return call(args);
    const heard: Callback = (error, ...more) => {
      if (!error) this.flags = this.connection.info?.status;
      return (callback as Callback)(error, ...more);
    };
    return call([...args.slice(0, -1), heard]);
  }
}

export const mariaDbSession = (connection: Raw, options: MysqlSessionOptions = {}): Session =>
  sessionOf(connection, () => new Session(new MariaDbSession(connection, options)));
