import pg from 'pg';
import { SqlOutboxWriter } from '../../../lib/outbox/events.sql.js';
import { Outbox } from '../../../lib/outbox/outbox.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { type Backend, backendOf } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { inTransaction } from '../../support/outbox-app.js';
import { channelsUpTo, RelayHouse } from '../../support/relays.js';
import { startPgBouncer } from '../../support/servers/pgbouncer.mjs';
import { startPostgres } from '../../support/servers/postgres.mjs';
import { until } from '../../support/until.js';

const POLL_MS = 100;

describe('an outbox on a server whose queue of notifications is full', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let at: Backend;
  let house: RelayHouse;
  let sleeper: pg.Client;
  beforeAll(async () => {
    server = await startPostgres({ flags: ['-c', 'max_notify_queue_pages=64'] });
    at = backendOf('typeorm', 'postgres', server.address);
    house = await RelayHouse.open(at);
    const { host, port, user, password, database } = house.backend;
    sleeper = new pg.Client({ host, port, user, password, database });
    await sleeper.connect();
  });
  afterAll(async () => {
    await sleeper?.end();
    await house?.close();
    await server?.stop();
  });

  /** Somebody listens in a transaction that stays open, so nothing of the queue may go. */
  async function fill(): Promise<void> {
    await sleeper.query('LISTEN anything');
    await sleeper.query('BEGIN');
    await sleeper.query('SELECT 1');
    const text = `SELECT pg_notify('anything', repeat('x', 7900) || n) FROM generate_series(1, 4) AS n`;
    const full = async () => {
      for (;;) await house.backend.query(text);
    };
    await expect(full()).rejects.toThrow(/too many notifications/);
  }

  const queueUsage = async () =>
    Number((await house.backend.query<{ used: number }>('SELECT pg_notification_queue_usage() AS used'))[0]!.used);

  it('15: takes events as before, delivers them by looking, and says what is wrong', async () => {
    const errors: unknown[] = [];
    const telling = createNotifier(house.db, 'durable', (error) => void errors.push(error));
    const outbox = new Outbox(new SqlOutboxWriter(house.db, house.tables, telling, 'commit'), { payloadBytes: 1_000 });
    const heard: unknown[] = [];
    const listening = createNotifier(house.db, 'durable', (error) => void heard.push(error), {
      checkTimeoutMs: 30_000,
    });
    listening.start();
    const { errors: relayed } = await house.start({ options: { pollMs: POLL_MS }, signals: listening });
    // What tells it so is a notification too.
    await until('it knows that it is notified', () => listening.live);
    await fill();
    const notices: string[] = [];
    const { host, port, user, password, database } = house.backend;
    const app = new pg.Client({ host, port, user, password, database });
    app.on('notice', ({ message }) => void notices.push(String(message)));
    await app.connect();
    const tell = async (channel: string) => {
      await inTransaction(house.backend, 'READ COMMITTED', (transaction) =>
        outbox.publish({ channel, name: 'e' }, { transaction }),
      );
      await app.query(`INSERT INTO durable_outbox (mutation_id, channel, name) VALUES ('m', $1, 'e')`, [channel]);
      await until('both are delivered', () => house.firsts(channel).length === 2);
    };
    try {
      await tell('while it is full');
      expect(notices.join()).toMatch(/outbox could not notify/);
      await until('the writer has heard of it', () => errors.length > 0);
      expect(String(errors[0])).toMatch(/too many notifications/);
      await sleeper.query('COMMIT');
      await until('the queue is read', async () => (await queueUsage()) < 0.5);
      notices.length = 0;
      await tell('afterwards');
      expect(notices).toEqual([]);
      expect([...heard, ...relayed]).toEqual([]);
      expect(house.disordered).toEqual([]);
    } finally {
      await app.end();
      await telling.stop();
      await listening.stop();
    }
  });
});

describeWithProgram('pgbouncer', 'an outbox behind PgBouncer in transaction mode', (program) => {
  it('15: is written and published through it, by looking', async () => {
    const house = await RelayHouse.open(backendOf('typeorm', 'postgres'));
    const bouncer = await startPgBouncer(program, house.backend);
    const behind = await house.backend.another({ orm: { port: bouncer.port } });
    const db = executorOf({ orm: 'typeorm', handle: behind });
    const errors: unknown[] = [];
    const notifier = createNotifier(db, 'durable', (error) => void errors.push(error), { checkIntervalMs: 300 });
    notifier.start();
    try {
      const outbox = new Outbox(new SqlOutboxWriter(db, house.tables, notifier, 'commit'), { payloadBytes: 1_000 });
      const relays = [await house.start({ db, options: { pollMs: POLL_MS } })];
      relays.push(await house.start({ db, options: { pollMs: POLL_MS } }));
      const channels = channelsUpTo(30);
      for (let n = 0; n < 5; n++)
        await Promise.all(
          channels.map((channel) =>
            inTransaction({ orm: 'typeorm', handle: behind }, 'READ COMMITTED', (transaction) =>
              outbox.publish({ channel, name: 'e' }, { transaction }),
            ),
          ),
        );
      await until('all is delivered', () => channels.every((channel) => house.firsts(channel).length === 5));
      await until('all is acknowledged', async () => (await house.pending()) === 0);
      await house.write(['later'], 1);
      await until('it is found by looking', () => house.firsts('later').length === 1);
      expect(house.disordered).toEqual([]);
      expect(house.repeated).toBe(0);
      await until('both say that they hear nothing', () => relays.every((relay) => relay.errors.length > 0));
      for (const { errors: said } of relays)
        expect(said.map(String)).toEqual([expect.stringMatching(/Notifications do not arrive/)]);
    } finally {
      await notifier.stop();
      await house.empty();
      await house.close();
      await bouncer.stop();
    }
  });
});
