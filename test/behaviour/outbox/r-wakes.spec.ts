import { ManualClock } from '../../../lib/core/time.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { backends, describeDatabases, chosen } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { channelsUpTo, RelayHouse } from '../../support/relays.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

const HOUR = 3_600_000;
const silent = { live: true, subscribe: () => () => undefined };

describeDatabases('what wakes a relay', (at) => {
  let house: RelayHouse;
  beforeAll(async () => {
    house = await RelayHouse.open(at);
  });
  afterEach(() => house.empty());
  afterAll(() => house?.close());

  it('events of which nobody tells are found by looking, ever more rarely while there are none', async () => {
    let looks = 0;
    const observer = { fetched: () => void looks++ };
    await house.start({ signals: silent, observer, options: { pollMs: 50 } });
    await until('it has looked now and then', () => looks >= 3);
    await house.write(['a'], 1);
    await until('it is delivered', () => house.firsts('a').length === 1);
  });

  it('many hints make few looks', async () => {
    const hints: (() => void)[] = [];
    const signals = { live: true, subscribe: (_: string, hint: () => void) => (hints.push(hint), () => undefined) };
    let looks = 0;
    const clock = new ManualClock();
    // Nothing else makes it look.
    const options = { debounceMs: 100, pollMs: HOUR, leaseMs: HOUR, publishTimeoutMs: HOUR / 2 };
    await house.start({ signals, observer: { fetched: () => void looks++ }, options, clock });
    await until('it has looked', () => looks > 0);
    await house.write(['a'], 1);
    /** What it looks for meanwhile is found. */
    const manyHints = async () => {
      for (let n = 0; n < 1_000; n++) {
        hints[0]!();
        if (n % 20 === 0) await house.pending();
      }
    };
    const before = looks;
    await manyHints();
    await until('it is delivered', () => house.firsts('a').length === 1);
    const first = looks - before;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(3);
    clock.advance(100);
    await until('it looks again', () => looks > before + first);
    await manyHints();
    expect(looks - before).toBeLessThanOrEqual(first + 1);
  });

  it('at a fixed rate hints count for nothing', async () => {
    let subscribed = 0;
    const signals = { live: true, subscribe: () => (subscribed++, () => undefined) };
    await house.start({ signals, options: { fixedRate: true, pollMs: 50 } });
    await house.write(['a'], 1);
    await until('it is delivered', () => house.firsts('a').length === 1);
    expect(subscribed).toBe(0);
  });

  it('a long transaction elsewhere delays nothing', async () => {
    await house.start();
    await house.backend.query('CREATE TABLE IF NOT EXISTS elsewhere (n integer)');
    const other = executorOf({ orm: at.orm, handle: await house.backend.another({ poolMax: 2 }) });
    let end = (): void => undefined;
    const open = new Promise<void>((resolve) => (end = resolve));
    const { sql } = await import('../../../lib/sql/statement.js');
    const long = other.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO elsewhere VALUES (1)`);
      await open;
    });
    try {
      await house.write(channelsUpTo(10), 3);
      await until('all is delivered', () => house.log.length === 30);
    } finally {
      end();
      await long;
    }
  });

  it('a new number below one that was delivered is delivered all the same, and noticed', async () => {
    const late: string[] = [];
    await house.start({ observer: { late: ({ sequenceId }) => void late.push(sequenceId) } });
    const insert = `INSERT INTO durable_outbox (sequence_id, mutation_id, channel, name, processed) VALUES (?, 'm', 'a', 'n', ?)`;
    const isNot = at.db === 'postgres' ? false : 0;
    if (at.db === 'postgres') await house.backend.query('ALTER TABLE durable_outbox DISABLE TRIGGER USER');
    await house.backend.query(insert, [1_000_010, isNot]);
    await until('it is delivered', () => house.firsts('a').length === 1);
    await until('it is acknowledged', async () => (await house.pending()) === 0);
    await house.backend.query(insert, [1_000_005, isNot]);
    await until('that one too', () => house.firsts('a').length === 2);
    if (at.db === 'postgres') await house.backend.query('ALTER TABLE durable_outbox ENABLE TRIGGER USER');
    expect(late).toEqual(['1000005']);
  });
});

for (const at of chosen(
  'no longer hears',
  backends.filter(({ db }) => db === 'postgres'),
))
  describe(`a relay that no longer hears [${at.name}]`, () => {
    it('delivers by looking while its connection is silent, and is told when it hears again', async () => {
      const house = await RelayHouse.open(at);
      const proxy = await startTcpProxy(house.backend);
      const db = executorOf({ orm: at.orm, handle: await house.backend.another({ orm: { port: proxy.port } }) });
      const errors: unknown[] = [];
      const prefix = 'durable';
      const options = {
        prefix,
        onError: (error: unknown) => void errors.push(error),
        checkIntervalMs: 300,
        checkTimeoutMs: 1_000,
      };
      const { PostgresNotifier } = await import('../../../lib/sql/notifier.js');
      const hearing = new PostgresNotifier(db as never, options);
      hearing.start();
      const telling = createNotifier(house.db, prefix, () => undefined);
      let hints = 0;
      const signals = {
        get live() {
          return hearing.live;
        },
        subscribe: (topic: string, listener: () => void) =>
          hearing.subscribe(topic, () => {
            hints++;
            listener();
          }),
      };
      try {
        await house.start({ signals, options: { pollMs: 400 } });
        await until('it hears', () => hearing.live);
        const tell = async (channel: string) => {
          await house.write([channel], 1);
          telling.publish('outbox', '{}');
          await until('it is delivered', () => house.firsts(channel).length === 1);
        };
        await tell('first');
        const before = errors.length;
        proxy.blackHole();
        await tell('while it hears nothing');
        await until('it notices', () => errors.length > before);
        await until('it hears again', () => hearing.live);
        const heard = hints;
        await tell('afterwards');
        await until('it was told of that', () => hints > heard);
      } finally {
        await hearing.stop();
        await telling.stop();
        await proxy.close();
        await house.close();
      }
    });
  });
