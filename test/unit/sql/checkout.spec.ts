import type { Clock } from '@sinonjs/fake-timers';
import { EventEmitter } from 'node:events';
import { mysql2Session } from '../../../lib/sql/mysql2.js';
import { pgSession } from '../../../lib/sql/pg.js';
import { timeLeft, withinTime } from '../../../lib/core/time.js';
import { Checkout, keepQuiet } from '../../../lib/sql/pools.js';
import { fakeTime } from '../../support/fake-time.js';

let clock: Clock;
beforeEach(() => void (clock = fakeTime()));
afterEach(() => clock.uninstall());

/** A client of `pg`, whose server answers until it is silent. */
class Client {
  readonly sent: string[] = [];
  /** How much time each had. */
  readonly limits: (number | undefined)[] = [];
  readyForQuery = true;
  isSilent = false;
  isDestroyed = false;
  readonly connection = {
    on: () => undefined,
    stream: { destroy: () => ((this.isDestroyed = true), this.lost(new Error('Connection terminated'))) },
  };
  private lost: (error: Error) => void = () => undefined;

  async query(query: string | { text: string }) {
    this.sent.push(typeof query === 'string' ? query : query.text);
    this.limits.push(timeLeft());
    this.readyForQuery = !this.isSilent;
    if (this.isSilent) await new Promise((_, reject) => (this.lost = reject));
    return { rows: [], rowCount: 0 };
  }
}

const LIMITED = '; SET LOCAL idle_in_transaction_session_timeout = 20000; SET LOCAL tcp_user_timeout = 20000';

describe('a connection of PostgreSQL that is ours', () => {
  let client: Client;
  beforeEach(() => {
    client = new Client();
    pgSession(client);
  });

  it('has limits in its transaction, which costs no statement', async () => {
    const checkout = pgSession(client).checkout();
    await client.query({ text: 'BEGIN ISOLATION LEVEL READ COMMITTED' });
    checkout.end();
    await client.query('BEGIN');
    expect(client.sent).toEqual([`BEGIN ISOLATION LEVEL READ COMMITTED${LIMITED}`, 'BEGIN']);
  });

  it('is the one on which an ORM begins, and no other', async () => {
    const other = new Client();
    pgSession(other);
    await new Checkout().during(async () => {
      await other.query('SELECT 1');
      await client.query('BEGIN TRANSACTION ISOLATION LEVEL read committed;');
      await other.query('BEGIN;');
      await client.query('SAVEPOINT one');
      await client.query('COMMIT');
      // Its next user: the ORM may still tell listeners of the end.
      await client.query('BEGIN;');
    });
    const begun = `BEGIN TRANSACTION ISOLATION LEVEL read committed${LIMITED}`;
    expect([client.sent, other.sent]).toEqual([
      [begun, 'SAVEPOINT one', 'COMMIT', 'BEGIN;'],
      ['SELECT 1', 'BEGIN;'],
    ]);
  });

  it('shows that it is alive in no trace, and in no limit of time, of whoever has it', async () => {
    let quiet = 0;
    keepQuiet((work) => (quiet++, work()));
    const begins = async () => {
      const checkout = pgSession(client).checkout();
      await client.query('BEGIN');
      return checkout;
    };
    const checkout = await withinTime(60_000, begins, () => new Error('late'));
    await clock.tickAsync(5_100);
    expect(client.sent.at(-1)).toBe('');
    expect(client.limits).toEqual([60_000, undefined]);
    expect(quiet).toBe(1);
    checkout.end();
    keepQuiet((work) => work());
  });

  it('tells at each pulse that a statement takes long', async () => {
    let told = 0;
    const checkout = pgSession(client).checkout(() => told++);
    client.isSilent = true;
    const lost = client.query('SELECT 1').catch((error: Error) => error.message);
    await clock.tickAsync(9_900);
    expect(told).toBe(0);
    await clock.tickAsync(10_200);
    expect(told).toBe(3);
    client.connection.stream.destroy();
    expect(await lost).toBe('Connection terminated');
    checkout.end();
  });

  /** Begins, and sends `last` to a server that is silent from then on. */
  const silentAt = (last: string) => {
    const ending = new Checkout().during(async () => {
      await client.query('BEGIN');
      client.isSilent = true;
      await client.query(last);
    });
    return ending.catch((error: Error) => error.message);
  };

  it.each([
    ['ROLLBACK', 10_000],
    ['BEGIN', 20_000],
    ['COMMIT', 90_000],
  ])('is closed when nobody responds to the %s of an ORM, which hears of it', async (last, ms) => {
    const lost = silentAt(last);
    await clock.tickAsync(ms - 1);
    expect(client.isDestroyed).toBe(false);
    // It is looked at every five seconds.
    await clock.tickAsync(5_100);
    expect(client.isDestroyed).toBe(true);
    expect(await lost).toBe('Connection terminated');
  });

  it('is left to a statement of the app, which takes the time it needs', async () => {
    void silentAt('UPDATE entries SET entry = 1');
    await clock.tickAsync(600_000);
    expect(client.isDestroyed).toBe(false);
  });

  it('shows that it is alive while the app waits for something else, and is closed when nobody responds', async () => {
    let over = () => {};
    const waiting = new Checkout().during(async () => {
      await client.query('BEGIN');
      await new Promise<void>((resolve) => (over = resolve));
    });
    await clock.tickAsync(60_100);
    expect(client.sent.slice(1)).toEqual(Array(12).fill(''));
    client.isSilent = true;
    await clock.tickAsync(14_000);
    expect(client.isDestroyed).toBe(false);
    await clock.tickAsync(1_100);
    expect(client.isDestroyed).toBe(true);
    over();
    await waiting;
    const { length } = client.sent;
    await clock.tickAsync(60_000);
    expect(client.sent).toHaveLength(length);
  });
});

describe('a connection of MySQL that is ours', () => {
  const READ = 'SELECT @@SESSION.wait_timeout AS wait_timeout, @@SESSION.net_read_timeout AS net_read_timeout';
  const LIMIT = 'SET SESSION wait_timeout = 20, net_read_timeout = 20';
  const BACK = 'SET SESSION wait_timeout = 28800, net_read_timeout = 30';

  const connected = () => {
    const sent: string[] = [];
    const answer = [{ wait_timeout: 28_800, net_read_timeout: '30' }];
    const query = ({ sql }: { sql: string }, callback?: (error: null, answer: unknown) => void) => {
      sent.push(sql);
      callback?.(null, answer);
      return new EventEmitter();
    };
    const connection = { query, ping: () => undefined, release: () => undefined, destroy: () => undefined };
    const session = mysql2Session(connection, { fresh: true });
    const transaction = () => {
      const checkout = session.checkout();
      connection.query({ sql: 'START TRANSACTION' });
      connection.query({ sql: 'COMMIT' });
      checkout.end();
      return sent.splice(0);
    };
    return { connection, sent, transaction };
  };

  it('keeps its limits from one transaction of ours to the next', () => {
    const { transaction } = connected();
    expect(transaction()).toEqual([READ, LIMIT, 'START TRANSACTION', 'COMMIT']);
    expect(transaction()).toEqual(['START TRANSACTION', 'COMMIT']);
  });

  it('gets its own back before a statement of the app', () => {
    const { connection, sent, transaction } = connected();
    transaction();
    connection.query({ sql: 'SELECT 1' });
    connection.query({ sql: 'BEGIN' });
    expect(sent.splice(0)).toEqual([BACK, 'SELECT 1', 'BEGIN']);
    expect(transaction()).toEqual([LIMIT, 'START TRANSACTION', 'COMMIT']);
  });

  it('gets its own back when it has been idle for a second', async () => {
    const { sent, transaction } = connected();
    transaction();
    await clock.tickAsync(900);
    transaction();
    await clock.tickAsync(900);
    expect(sent).toEqual([]);
    await clock.tickAsync(200);
    expect(sent.splice(0)).toEqual([BACK]);
    await clock.tickAsync(60_000);
    expect(sent).toEqual([]);
  });
});
