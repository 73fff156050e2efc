import type { PgClient } from './pg-connection.js';
import { callThrough, textOf, withoutLiterals } from './sent-statements.js';
import { Session, sessionOf, type SessionDriver, type TransactionState } from './session.js';

interface PgSessionClient extends PgClient {
  /** Since `pg` 8.17. */
  getTransactionStatus?(): string | null;
  /** False while a result is pending. */
  readyForQuery?: boolean;
  connection?: { on(event: 'readyForQuery', listener: (message: { status?: string }) => void): unknown };
}

const IDLE = 'I';

class PgSession implements SessionDriver {
  private sent: string | undefined;
  /** The server's last status, and the one before. */
  private statuses: [string | undefined, string | undefined] = [undefined, undefined];

  constructor(
    private readonly client: PgSessionClient,
    private fresh: boolean,
  ) {
    client.connection?.on('readyForQuery', ({ status }) => (this.statuses = [status, this.statuses[0]]));
    callThrough(client, 'query', (args, call) => {
      this.fresh = false;
      this.sent = textOf(args[0]);
      return call(args);
    });
  }

  get state(): TransactionState {
    if (this.fresh) return 'none';
    if (this.client.readyForQuery === false) return 'unknown';
    const status = this.client.getTransactionStatus?.() ?? this.statuses[0];
    if (!status) return 'unknown';
    return status === IDLE ? 'none' : 'open';
  }

  get isBusy(): boolean {
    return this.client.readyForQuery === false;
  }

  get lastStatement(): string | undefined {
    return this.sent === undefined ? undefined : withoutLiterals(this.sent);
  }

  /** A failed statement's result may come in two parts: its status is known after the next statement is sent. */
  async rollback(): Promise<boolean> {
    await this.client.query({ text: 'ROLLBACK' });
    const [, before = IDLE] = this.statuses;
    return before !== IDLE;
  }
}

/** `fresh`: it was just opened, and nothing was sent on it. */
export const pgSession = (client: PgClient, { fresh = false } = {}): Session =>
  sessionOf(client, () => new Session(new PgSession(client, fresh)));
