import { answerWithin, STATEMENT_MS } from './answer-within.js';
import { isConnectionLost } from './database-errors.js';
import type { LeftOpen } from './sql-executor.js';

export type TransactionState = 'none' | 'open' | 'unknown';

export type Report = (left: LeftOpen) => void;

/** What a driver lets us know and do, without asking the server. */
export interface SessionDriver {
  /** Whether a transaction is open, by what the server said last. */
  readonly state: TransactionState;
  /** The last statement sent, by whomever, without its values. */
  readonly lastStatement: string | undefined;
  /** Queued before whatever is sent next. May answer whether there was a transaction, where that was unknown. */
  rollback(): Promise<boolean | void>;
}

/**
 * One connection of a pool, whoever uses it. Code that forgets its COMMIT or ROLLBACK gives back a connection with a
 * transaction open: what the next one sends would join that transaction and vanish with it, or commit half of it.
 */
export class Session {
  private readonly reports = new Set<Report>();
  private ending: Promise<void> | undefined;

  constructor(private readonly driver: SessionDriver) {}

  /** Tells `report` of transactions that are left open here. */
  watchedBy(report: Report): this {
    this.reports.add(report);
    return this;
  }

  get state(): TransactionState {
    return this.driver.state;
  }

  /**
   * Rolls back what is not over for certain, before anything else is sent; undefined when there is nothing to end.
   * Rejects when the server refuses, or does not answer: then the connection must not be used.
   */
  end(tells = true): Promise<void> | undefined {
    if (this.ending) return this.ending;
    if (this.state === 'none') return undefined;
    this.ending = this.rollBack(tells).finally(() => (this.ending = undefined));
    return this.ending;
  }

  /**
   * The same where a connection is given back: what may still be under way is left alone. It `tells` of nothing where
   * the connection is given back as broken: nobody has forgotten anything.
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
      // Of a connection that was lost the last word is that a transaction was open, which nobody has forgotten.
      if (state === 'open' && !isConnectionLost(error)) tell();
      throw error;
    }
  }
}

const sessions = new WeakMap<object, Session>();

/** Of this connection, made once. */
export function sessionOf(raw: object, make: () => Session): Session {
  const session = sessions.get(raw) ?? make();
  sessions.set(raw, session);
  return session;
}
