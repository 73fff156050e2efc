import { OutboxFeed, OutboxPruner } from '../../../lib/outbox/channels.js';
import { SqlChannelReader, SqlChannelSnapshots, SqlEventPruning } from '../../../lib/outbox/channels.sql.js';
import type { OutboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { sql } from '../../../lib/sql/statement.js';
import { inAppTransaction, write } from '../../support/app-transactions.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { type ChannelWatch, watch, watching } from '../../support/channel-watch.js';
import { executorOf } from '../../support/engine-storage.js';
import { liveTables } from '../../support/outbox-channels.js';
import { until } from '../../support/until.js';

interface Committed {
  number: number;
  v: number;
}

describeDatabases('streams of the outbox', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  let tables: OutboxTables;
  const closers: (() => unknown)[] = [];

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
    executor = executorOf(backend);
    tables = await liveTables(executor);
    await backend.query('CREATE TABLE counters (channel varchar(50) PRIMARY KEY, v integer NOT NULL)');
  });
  afterAll(() => backend?.close());
  beforeEach(async () => {
    await backend.query('DELETE FROM durable_outbox');
    await backend.query('DELETE FROM durable_outbox_pruned');
    await backend.query('DELETE FROM counters');
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** A process of its own that reads channels. */
  async function anotherFeed(pollMs = 50): Promise<OutboxFeed> {
    const own = executorOf({ orm: at.orm, handle: await backend.another() });
    const notifier = createNotifier(own, 'durable', () => undefined);
    const feed = new OutboxFeed(new SqlChannelReader(own, tables), {
      onError: () => undefined,
      pollMs,
      hints: notifier,
    });
    feed.start();
    notifier.start();
    closers.push(
      () => notifier.stop(),
      () => feed.stop(),
    );
    if (at.db === 'postgres') await until('it listens', () => notifier.live);
    return feed;
  }

  /** One change of the app: the row of the channel, which orders its writers, and an event that says its new value. */
  const change = (channel: string, handle: unknown = backend.handle) =>
    inAppTransaction(at.orm, handle, async ({ query }) => {
      await query(`UPDATE counters SET v = v + 1 WHERE channel = '${channel}'`);
      await query(
        `INSERT INTO durable_outbox (mutation_id, channel, name, processed, data)
         SELECT 'm', '${channel}', 'changed', ${at.db === 'postgres' ? 'true' : '1'}, ${
           at.db === 'postgres' ? "jsonb_build_object('v', v)" : "JSON_OBJECT('v', v)"
         } FROM counters WHERE channel = '${channel}'`,
      );
    });
  const counters = (channels: readonly string[]) =>
    Promise.all(channels.map((channel) => backend.query('INSERT INTO counters (channel, v) VALUES (?, 0)', [channel])));
  const committed = async (channel: string): Promise<Committed[]> => {
    const rows = await backend.query(
      'SELECT sequence_id, data FROM durable_outbox WHERE channel = ? ORDER BY sequence_id',
      [channel],
    );
    return rows.map(({ sequence_id: number, data }) => {
      const { v } = (typeof data === 'string' ? JSON.parse(data) : data) as { v: number };
      return { number: Number(number), v };
    });
  };

  it('scenario 5: whatever is up to the position of a snapshot is in it, and nothing behind', async () => {
    await counters(['a', 'b', 'far']);
    const snapshots = new SqlChannelSnapshots(executor, tables);
    let writing = true;
    const taken: { channel: string; v: number; position: number }[] = [];
    // Those of b wait for their readers, so that there are snapshots of many moments.
    const isTaken = (wanted: number) => taken.some(({ channel, v }) => channel === 'b' && v === wanted);
    const writers = [
      ...['a', 'a', 'b'].map(async (channel) => {
        for (let n = 1; n <= 40; n++) {
          await change(channel);
          if (channel === 'b' && n % 5 === 0) await until('it is in a snapshot', () => isTaken(n));
        }
      }),
      (async () => {
        for (let n = 0; n < 150; n++) await change('far');
      })(),
    ];
    const readers = ['a', 'b', 'a'].map(async (channel) => {
      while (writing) {
        const { data, sequenceId } = await snapshots.snapshot(channel, async (handle) => {
          type Rows = { v: number }[];
          const [row] = (await write(at.orm, handle, `SELECT v FROM counters WHERE channel = '${channel}'`)) as Rows;
          return Number(row?.v);
        });
        taken.push({ channel, v: data, position: Number(sequenceId) });
      }
    });
    await Promise.all(writers).finally(() => (writing = false));
    await Promise.all(readers);
    const events = { a: await committed('a'), b: await committed('b') };
    expect(events.a.map(({ v }) => v)).toEqual(Array.from({ length: 80 }, (_, n) => n + 1));
    const wrong = taken.filter(({ channel, v, position }) => {
      const upTo = events[channel as 'a' | 'b'].filter(({ number }) => number <= position);
      return upTo.length !== v || (upTo.at(-1)?.number ?? 0) !== position;
    });
    expect(wrong).toEqual([]);
    expect(new Set(taken.map(({ v }) => v)).size).toBeGreaterThan(5);
  });

  it('scenario 5: a stream goes on exactly where the snapshot ends', async () => {
    await counters(['a', 'far']);
    const feed = await anotherFeed();
    const snapshots = new SqlChannelSnapshots(executor, tables);
    const writers = ['a', 'a', 'far'].map(async (channel) => {
      for (let n = 0; n < 30; n++) await change(channel);
    });
    const readers: { v: number; seen: ChannelWatch }[] = [];
    while (readers.length < 8) {
      const { data: v, sequenceId } = await snapshots.snapshot('a', async (handle) => {
        const rows = await write(at.orm, handle, "SELECT v FROM counters WHERE channel = 'a'");
        return Number((rows as { v: number }[])[0]?.v);
      });
      readers.push({ v, seen: watch(feed, 'a', { after: sequenceId }) });
    }
    await Promise.all(writers);
    const valuesOf = ({ messages }: ChannelWatch) =>
      messages.flatMap((message) => (message.type === 'event' ? [(message.data.data as { v: number }).v] : []));
    await until('all have come', () => readers.every(({ v, seen }) => valuesOf(seen).length >= 60 - v));
    for (const { v, seen } of readers)
      expect(valuesOf(seen)).toEqual(Array.from({ length: 60 - v }, (_, n) => v + n + 1));
  });

  it('scenario 20: readers that come and go, on several processes, are told every event once and in order', async () => {
    const channels = ['a', 'b', 'c'];
    await counters(channels);
    const feeds = [await anotherFeed(), await anotherFeed()];
    let writing = true;
    const writers = [...channels, 'a', 'b'].map(async (channel) => {
      for (let n = 0; n < 40; n++) await change(channel);
    });
    const follow = async (n: number): Promise<{ channel: string; told: string[] }> => {
      const channel = channels[n % channels.length]!;
      const told: string[] = [];
      let after = '0';
      for (let turn = n; ; turn++) {
        const last = !writing;
        const all = last ? (await committed(channel)).length : Infinity;
        const seen = await watching(feeds[turn % feeds.length]!, channel, { after });
        const enough = last ? all - told.length : 1 + (turn % 7);
        const waiting = () => seen.told.length >= enough || (!last && !writing);
        await until('some have come', waiting);
        seen.end();
        told.push(...seen.told);
        after = told.at(-1) ?? after;
        if (last) return { channel, told };
      }
    };
    const followers = Array.from({ length: 9 }, (_, n) => follow(n));
    await Promise.all(writers).finally(() => (writing = false));
    for (const { channel, told } of await Promise.all(followers))
      expect(told).toEqual((await committed(channel)).map(({ number }) => String(number)));
  });

  it('scenario 20: events that are removed meanwhile are told before, or a reader starts anew', async () => {
    await counters(['a', 'b']);
    const feed = await anotherFeed(5);
    const pruning = new SqlEventPruning(executor, tables);
    const pruner = new OutboxPruner(pruning, { retainMs: 0, pauseMs: 5, batchSize: 7, onError: () => undefined });
    const seen = await watching(feed, 'a', { after: '0' });
    const watches = [seen];
    pruner.start();
    closers.push(() => pruner.stop());
    let position = '0';
    for (let n = 0; n < 60; n++) {
      await change(n % 3 === 0 ? 'b' : 'a');
      if (n % 10 === 0) watches.push(watch(feed, 'a', { after: position }));
      position = seen.lastEventId ?? position;
    }
    const { rows } = await executor.run<{ v: number }>(sql`SELECT v FROM counters WHERE channel = 'a'`);
    expect(Number(rows[0]?.v)).toBe(40);
    const [top] = await new SqlChannelReader(executor, tables).tops(['a']);
    await until('all stand at the end', () => watches.every(({ lastEventId }) => lastEventId === top));
    for (const { messages } of watches) {
      const events = messages.flatMap((message) => (message.type === 'event' ? [message.data] : []));
      const values = events.map(({ data }) => (data as { v: number }).v);
      expect(values).toEqual([...new Set(values)].sort((x, y) => x - y));
      const gaps = values.slice(1).filter((v, n) => v !== (values[n] ?? 0) + 1).length;
      const resets = messages.filter(({ type }) => type === 'reset').length;
      expect(gaps).toBeLessThanOrEqual(resets);
    }
    await until('what is old has gone', async () => (await backend.query('SELECT 1 FROM durable_outbox')).length === 1);
  });

  if (at.db === 'postgres')
    it('is told long before it would look, which is once a minute', async () => {
      await counters(['a']);
      const feed = await anotherFeed(60_000);
      const seen = await watching(feed, 'a');
      await change('a');
      await until('the event has come', () => seen.told.length === 1);
      expect(seen.told).toHaveLength(1);
    });
});
