import { isConnectionLost } from './database-errors.js';
import type { LeftOpen } from './sql-executor.js';
import { DatabaseError } from '../errors/database-errors.js';
import { within } from '../time/sleep.js';

/** A dead network connection may give no error; the longest default lock wait of MySQL is 50 s. */
export const STATEMENT_MS = 90_000;

/** Some pools queue without a limit, and some drivers connect without a timeout. */
export const ACQUIRE_MS = 30_000;

/** @throws DatabaseError when it takes longer than `ms`; the result is ignored then. */
export function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T> {
  return within(
    ms,
    answer,
    () => new DatabaseError(`The database has not responded for ${ms} ms`, true, { elsewhere: true }),
  );
}

export type TransactionState = 'none' | 'open' | 'unknown';

export type Report = (left: LeftOpen) => void;

/** What a driver knows and can do without a round trip to the server. */
export interface SessionDriver {
  /** Whether a transaction is open, according to the server's last message. */
  readonly state: TransactionState;
  /** The last statement sent by any code, without its values. */
  readonly lastStatement: string | undefined;
  /** Whether a statement was sent whose result has not come. */
  readonly isBusy: boolean;
  /** Queued before the next statement. May resolve to whether there was a transaction, if that was unknown. */
  rollback(): Promise<boolean | void>;
}

/**
 * One pooled connection, for all its users. Code that forgets COMMIT or ROLLBACK returns a connection with an open
 * transaction: the next user's statements would join it and be rolled back with it, or commit half of it.
 */
export class Session {
  private readonly reports = new Set<Report>();
  private ending: Promise<void> | undefined;

  constructor(private readonly driver: SessionDriver) {}

  /** Calls `report` when a transaction is left open here. */
  watchedBy(report: Report): this {
    this.reports.add(report);
    return this;
  }

  get state(): TransactionState {
    return this.driver.state;
  }

  get isBusy(): boolean {
    return this.driver.isBusy;
  }

  /**
   * Rolls back a transaction that may be open, before any other statement; undefined when there is none. Rejects when
   * the server refuses or does not respond: then the connection must not be used.
   */
  end(tells = true): Promise<void> | undefined {
    if (this.ending) return this.ending;
    if (this.state === 'none') return undefined;
    this.ending = this.rollBack(tells).finally(() => (this.ending = undefined));
    return this.ending;
  }

  /**
   * Like `end`, for a connection that is returned: leaves alone a transaction whose state is unknown. Pass false for
   * `tells` if the connection is returned as broken: then no code forgot anything.
   */
  endLeft(tells = true): Promise<void> | undefined {
    return this.state === 'open' ? this.end(tells) : undefined;
  }

  private async rollBack(tells: boolean): Promise<void> {
    const { state, lastStatement: statement } = this.driver;
    const tell = () => tells && this.reports.forEach((report) => report(statement === undefined ? {} : { statement }));
    try {
      const wasOpen = await answerWithin(STATEMENT_MS, this.driver.rollback());
      if (state === 'open' || wasOpen) tell();
    } catch (error) {
      // For a lost connection, an open transaction is the last known state: no code forgot it.
      if (state === 'open' && !isConnectionLost(error)) tell();
      throw error;
    }
  }
}

const sessions = new WeakMap<object, Session>();

/** The session of this connection, created once. */
export function sessionOf(raw: object, make: () => Session): Session {
  const session = sessions.get(raw) ?? make();
  sessions.set(raw, session);
  return session;
}
