import { EventEmitter } from 'node:events';
import { ManualClock } from '../../../lib/core/time.js';
import {
  type ChannelPage,
  type ChannelReader,
  isAfter,
  OutboxFeed,
  type OutboxFeedOptions,
  type ReadPosition,
} from '../../../lib/outbox/channels.js';
import { watch, watching } from '../../support/channel-watch.js';
import { channelsInMemory } from '../../support/channels-in-memory.js';
import { until } from '../../support/until.js';

const HOUR = 3_600_000;

/** A reader that counts, and that a test can hold up or break. */
function observed(reader: ChannelReader) {
  const seen = { reads: 0, positions: 0, before: undefined as (() => Promise<void>) | undefined };
  const read = async (positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]> => {
    seen.reads++;
    seen.positions += positions.length;
    const pages = await reader.read(positions, limit);
    await seen.before?.();
    return pages;
  };
  return { seen, reader: { read, tops: (channels: readonly string[]) => reader.tops(channels) } };
}

/** A response whose reader a test can stop. */
class Response extends EventEmitter {
  writableNeedDrain = false;

  resume(): void {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

describe('a feed', () => {
  const feeds: OutboxFeed[] = [];
  afterEach(() => Promise.all(feeds.splice(0).map((feed) => feed.stop())));

  function outbox(options: Partial<OutboxFeedOptions> = {}) {
    const channels = channelsInMemory();
    const { seen, reader } = observed(channels.reader);
    const errors: unknown[] = [];
    const another = () => {
      const feed = new OutboxFeed(reader, { onError: (error) => errors.push(error), pollMs: 5, ...options });
      feeds.push(feed);
      feed.start();
      return feed;
    };
    const writeMany = async (count: number, channel = 'a') => {
      const numbers: string[] = [];
      for (let n = 0; n < count; n++) numbers.push(await channels.write(channel, { processed: true }));
      return numbers;
    };
    const pruneAll = async () => {
      channels.clock.advance(2 * HOUR);
      return channels.pruning.prune({ retainMs: HOUR, after: '0', limit: 1_000_000 });
    };
    return { ...channels, seen, errors, another, feed: another(), writeMany, pruneAll };
  }

  it('tells what comes from now on, and where that begins', async () => {
    const { feed, write, writeMany } = outbox();
    const [, last] = await writeMany(2);
    const seen = await watching(feed, 'a');
    expect(seen.messages).toEqual([{ type: 'heartbeat', id: last, data: { sequenceId: last } }]);
    const number = await write('a', { data: { n: 1 } });
    await write('b');
    await until('the event has come', () => seen.told.length === 1);
    expect(seen.messages[1]).toMatchObject({
      type: 'event',
      id: number,
      data: { sequenceId: number, channel: 'a', name: 'changed', data: { n: 1 }, rejected: false },
    });
  });

  it('tells what is behind a number first, on and on', async () => {
    const { feed, writeMany } = outbox();
    const numbers = await writeMany(1_500);
    const all = watch(feed, 'a', { after: '0' });
    const rest = watch(feed, 'a', { after: numbers[700]! });
    await until('all have come', () => all.told.length === 1_500 && rest.told.length === 799);
    numbers.push(...(await writeMany(500)));
    await until('the new ones have come', () => all.told.length === 2_000 && rest.told.length === 1_299);
    expect([all.told, rest.told]).toEqual([numbers, numbers.slice(701)]);
    expect(all.lastEventId).toBe(numbers.at(-1));
  });

  it('scenario 20: 1,000 readers of one channel cost what one costs, and each is told everything', async () => {
    const { feed, seen, writeMany } = outbox({ pollMs: 60_000 });
    const first = await watching(feed, 'a');
    const watches = [first, ...Array.from({ length: 999 }, () => watch(feed, 'a'))];
    const late = await watching(feed, 'a');
    await until('the feed is at rest', () => seen.positions === seen.reads);
    const before = { ...seen };
    const numbers = await writeMany(150);
    const trigger = watch(feed, 'a', { after: numbers[99]! });
    const everybody = [...watches, late];
    await until('all have been told', () => everybody.every(({ told }) => told.length === 150));
    await until('the last too', () => trigger.told.length === 50);
    expect(everybody.every(({ told }) => told.join() === numbers.join())).toBe(true);
    expect(seen.reads - before.reads).toBeLessThanOrEqual(3);
    expect(seen.positions - before.positions).toBe(seen.reads - before.reads);
  });

  it('scenario 20: an event that commits while the catch-up query runs comes once, and in order', async () => {
    const { feed, seen, write, writeMany } = outbox();
    const numbers = await writeMany(450);
    const live = await watching(feed, 'a');
    // After each read, and before its answer is used.
    let extra = 30;
    seen.before = async () => {
      if (extra-- > 0) numbers.push(await write('a'));
    };
    const watches = ['0', '17', '449'].map((after) => watch(feed, 'a', { after }));
    await until('all have come', () => live.told.length === 30 && watches.every(({ told }) => told.at(-1) === '480'));
    expect(watches.map(({ told }) => told)).toEqual(
      ['0', '17', '449'].map((after) => numbers.filter((number) => isAfter(number, after))),
    );
    expect(live.told).toEqual(numbers.slice(450));
  });

  it('scenario 20: a reader goes on with another process where it was cut off', async () => {
    const { feed, another, writeMany } = outbox();
    const seen = await watching(feed, 'a', { after: '0' });
    const numbers = await writeMany(5);
    await until('all have come', () => seen.told.length === 5);
    await feed.stop();
    expect(seen.completed).toBe(true);
    numbers.push(...(await writeMany(5)));
    const again = watch(another(), 'a', { after: seen.lastEventId });
    await until('the others have come', () => again.told.length === 5);
    expect([...seen.told, ...again.told]).toEqual(numbers);
  });

  it.each(['x', '-1', '1.5', '99999999999999999999', '9223372036854775807', '900'])(
    'scenario 20: starts a reader anew that comes with %s, which was never given',
    async (after) => {
      const { feed, write, writeMany } = outbox();
      const numbers = await writeMany(3);
      const seen = watch(feed, 'a', { after });
      await until('it is told', () => seen.told.length === 1);
      expect(seen.messages.at(-1)).toEqual({
        type: 'reset',
        id: numbers[2],
        data: { sequenceId: numbers[2], reason: 'gone' },
      });
      const next = await write('a');
      await until('it goes on', () => seen.told.length === 2);
      expect(seen.told).toEqual(['reset:gone', next]);
    },
  );

  it('bears with a number that it has not seen itself yet', async () => {
    const { feed, seen, write } = outbox({ pollMs: 60_000 });
    await watching(feed, 'a');
    await until('the feed is at rest', () => seen.reads > 0);
    // As from a snapshot that another process took.
    const [first, second] = [await write('a'), await write('a')];
    const later = await watching(feed, 'a', { after: first });
    await until('the other has come', () => later.told.length > 0);
    expect(later.told).toEqual([second]);
  });

  it('scenario 20: starts readers anew behind whose position something is gone, and no others', async () => {
    const { feed, writeMany, pruneAll, write } = outbox();
    const old = await writeMany(10);
    await pruneAll();
    const young = [old[9]!, ...(await writeMany(3))];
    const watches = ['0', old[4]!, old[7]!, old[8]!, young[1]!].map((after) => watch(feed, 'a', { after }));
    await until('all are told', () => watches.every(({ told }) => told.length > 0));
    await until('and the rest', () => watches[3]?.told.length === 4);
    const next = await write('a');
    await until('all go on', () => watches.every(({ told }) => told.at(-1) === next));
    expect(watches.map(({ told }) => told)).toEqual([
      ['reset:gone', next],
      ['reset:gone', next],
      ['reset:gone', next],
      [...young, next],
      [...young.slice(2), next],
    ]);
  });

  it('scenario 20: starts all readers anew when it could not read for longer than events are kept', async () => {
    const { feed, seen, errors, writeMany, pruneAll, write } = outbox();
    const watches = await Promise.all([1, 2].map(() => watching(feed, 'a')));
    await writeMany(1);
    await until('the first has come', () => watches.every(({ told }) => told.length === 1));
    seen.before = () => Promise.reject(new Error('no database'));
    await writeMany(5);
    await until('it fails', () => errors.length > 0);
    await pruneAll();
    seen.before = undefined;
    await writeMany(1, 'b');
    await until('they are told', () => watches.every(({ told }) => told.length >= 2));
    const next = await write('a');
    await until('they go on', () => watches.every(({ told }) => told.at(-1) === next));
    for (const { told } of watches) expect(told.filter((one) => one.startsWith('reset'))).toEqual(['reset:gone']);
  });

  it('goes on when a read fails', async () => {
    const { feed, seen, errors, writeMany } = outbox();
    const watched = await watching(feed, 'a');
    seen.before = () => Promise.reject(new Error('no database'));
    const numbers = await writeMany(3);
    await until('it has failed', () => errors.length >= 2);
    seen.before = undefined;
    await until('all have come', () => watched.told.length === 3);
    expect(watched.told).toEqual(numbers);
  });

  it('scenario 20: a slow reader is told no more than it takes, and nothing is kept for it', async () => {
    const { feed, writeMany } = outbox({ buffer: { events: 100 } });
    const response = new Response();
    const slow = await watching(feed, 'a', { response });
    const fast = await watching(feed, 'a');
    const numbers = await writeMany(10);
    await until('both have them', () => slow.told.length === 10 && fast.told.length === 10);
    response.writableNeedDrain = true;
    numbers.push(...(await writeMany(2_000)));
    await until('the fast one has them', () => fast.told.length === 2_010);
    expect(slow.told).toHaveLength(10);
    expect(response.listenerCount('drain')).toBe(1);
    response.resume();
    await until('the slow one has them', () => slow.told.length === 2_010);
    expect([slow.told, fast.told]).toEqual([numbers, numbers]);
  });

  it('scenario 20: a reader that takes what was written in small bites gets all of it', async () => {
    const { feed, writeMany } = outbox();
    const numbers = await writeMany(1_000);
    const response = new Response();
    const told: string[] = [];
    let [bites, tooMuch] = [0, 0];
    const subscription = feed.channel('a', { after: '0', response }).subscribe((message) => {
      if (message.type !== 'event') return;
      if (response.writableNeedDrain) tooMuch++;
      if (told.push(message.id) % 70 !== 0) return;
      bites++;
      response.writableNeedDrain = true;
      setImmediate(() => response.resume());
    });
    await until('all have come', () => told.length === 1_000);
    subscription.unsubscribe();
    expect([bites, tooMuch]).toEqual([14, 0]);
    expect(told).toEqual(numbers);
  });

  it('scenario 20: starts a reader anew that has fallen too far behind', async () => {
    const { feed, writeMany, write } = outbox({ buffer: { events: 10 }, behind: 50 });
    const response = new Response();
    const slow = await watching(feed, 'a', { response });
    const fast = await watching(feed, 'a');
    response.writableNeedDrain = true;
    const missed = await writeMany(51);
    await until('the fast one has them', () => fast.told.length === 51);
    response.resume();
    await until('it is told', () => slow.told.length === 1);
    expect(slow.messages.at(-1)).toMatchObject({ type: 'reset', id: missed.at(-1), data: { reason: 'slow' } });
    const next = await write('a');
    await until('it goes on', () => slow.told.length === 2);
    expect(slow.told).toEqual(['reset:slow', next]);
  });

  it('keeps no more of a channel than it may, and loses nothing for that', async () => {
    const { feed, write, writeMany } = outbox({ buffer: { size: 100 } });
    const watches = [await watching(feed, 'a'), await watching(feed, 'a')];
    const numbers: string[] = [];
    for (let n = 0; n < 20; n++) numbers.push(await write('a', { data: 'x'.repeat(n % 3 === 0 ? 1_000 : 10) }));
    await until('all have come', () => watches.every(({ told }) => told.length === 20));
    const late = watch(feed, 'a', { after: numbers[3] });
    numbers.push(...(await writeMany(1)));
    await until('the late one too', () => late.told.length === 17 && watches[0]?.told.length === 21);
    expect([watches[0]?.told, watches[1]?.told, late.told]).toEqual([numbers, numbers, numbers.slice(4)]);
  });

  it('says where it stands when it has been silent for a while', async () => {
    const clock = new ManualClock();
    const { feed, write } = outbox({ clock, heartbeatMs: 15_000 });
    const seen = await watching(feed, 'a');
    const number = await write('a');
    await until('the event has come', () => seen.told.length === 1);
    clock.advance(14_999);
    const other = await watching(feed, 'a');
    expect(seen.messages).toHaveLength(2);
    clock.advance(1);
    await until('it is heard of', () => seen.messages.length === 3);
    expect(seen.messages[2]).toEqual({ type: 'heartbeat', id: number, data: { sequenceId: number } });
    expect(other.messages).toHaveLength(1);
  });

  it('looks at once when it is told to', async () => {
    const listeners = new Set<() => void>();
    const topics: string[] = [];
    const hints = {
      subscribe: (topic: string, listener: () => void) => {
        topics.push(topic);
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const { feed, seen, write } = outbox({ pollMs: 60_000, hints });
    const watched = await watching(feed, 'a');
    await until('the feed is at rest', () => seen.reads > 0);
    await write('a');
    for (const listener of listeners) listener();
    await until('the event has come', () => watched.told.length === 1);
    await feed.stop();
    expect([topics, listeners.size]).toEqual([['outbox'], 0]);
  });

  it('reads nothing that nobody wants', async () => {
    const { feed, seen, write } = outbox();
    const watched = await watching(feed, 'a');
    watched.end();
    await watching(feed, 'b');
    await until('it has looked', () => seen.reads > 0);
    const { reads, positions } = { ...seen };
    await write('a');
    await until('it has looked again', () => seen.reads > reads + 2);
    expect(seen.positions - positions).toBe(seen.reads - reads);
    expect(watched.told).toEqual([]);
  });

  it('lets streams end and begin in the middle of an event', async () => {
    const { feed, writeMany } = outbox();
    const told: string[] = [];
    const inner: string[] = [];
    const subscription = feed.channel('a', { after: '0' }).subscribe((message) => {
      if (message.type !== 'event') return;
      told.push(message.id);
      if (told.length === 1)
        feed.channel('a', { after: '0' }).subscribe((one) => one.type === 'event' && inner.push(one.id));
      if (told.length === 3) subscription.unsubscribe();
    });
    const numbers = await writeMany(5);
    await until('the inner one has all', () => inner.length === 5);
    expect([told, inner]).toEqual([numbers.slice(0, 3), numbers]);
  });
});
