import assert from 'node:assert/strict';
import type { ChannelReader, ChannelSnapshots } from '../outbox/live/channel-reader.js';
import type { EventPruning } from '../outbox/live/outbox-pruner.js';
import type { ManualClock } from '../time/clock.js';
import type { ConformanceCase } from './case.js';

export interface ChannelsFixture {
  reader: ChannelReader;
  snapshots: ChannelSnapshots;
  pruning: EventPruning;
  /** Determines the age of events. */
  clock: ManualClock;
  /** Writes an event with the next number and returns it. Not processed by default. */
  write(channel: string, options?: { processed?: boolean; data?: unknown; rejected?: boolean }): Promise<string>;
  /** All existing numbers, in order. */
  numbers(): Promise<string[]>;
}

const HOUR = 3_600_000;
const idsIn = (page: { events: readonly { event: { sequenceId: string } }[] } | undefined) =>
  page?.events.map(({ event }) => event.sequenceId);

/** Writes one event to each of these channels, in order. */
async function writeAll({ write }: ChannelsFixture, channels: readonly string[], processed = true): Promise<string[]> {
  const numbers: string[] = [];
  for (const channel of channels) numbers.push(await write(channel, { processed }));
  return numbers;
}

async function pruneAll({ pruning }: ChannelsFixture, limit = 1_000): Promise<number> {
  let removed = 0;
  for (let after: string | undefined = '0'; after !== undefined;) {
    const pruned = await pruning.prune({ retainMs: HOUR, after, limit });
    removed += pruned.removed;
    after = pruned.next;
  }
  return removed;
}

const reading: ConformanceCase<ChannelsFixture>[] = [
  {
    name: 'pages of several positions are returned in the same order, each with the events after its position',
    async run(fixture) {
      const [a1, b1, a2, a3, b2] = (await writeAll(fixture, ['a', 'b', 'a', 'a', 'b'])) as [
        ...[string, string, string, string, string],
      ];
      const positions = [
        { channel: 'b', after: '0' },
        { channel: 'a', after: a1 },
        { channel: 'none', after: '0' },
        { channel: 'a', after: '0' },
        { channel: 'b', after: b2 },
        { channel: 'a', after: a3 },
      ];
      const pages = await fixture.reader.read(positions, 2);
      assert.deepEqual(pages.map(idsIn), [[b1, b2], [a2, a3], [], [a1, a2], [], []]);
      assert.deepEqual(
        pages.map(({ gone }) => gone),
        positions.map(() => undefined),
      );
      assert.deepEqual(await fixture.reader.read([], 2), []);
    },
  },
  {
    name: 'an event is read as it was written, processed or not',
    async run(fixture) {
      const data = { text: 'Grüße 😀 "x"', list: [1, null, { deep: true }] };
      const first = await fixture.write('a', { data, processed: true });
      const second = await fixture.write('a', { data: null, rejected: true });
      const [page] = await fixture.reader.read([{ channel: 'a', after: '0' }], 10);
      assert.deepEqual(
        page?.events.map(({ event: { sequenceId, channel, name, rejected, data } }) => ({
          sequenceId,
          channel,
          name,
          rejected,
          data,
        })),
        [
          { sequenceId: first, channel: 'a', name: 'changed', rejected: false, data },
          { sequenceId: second, channel: 'a', name: 'changed', rejected: true, data: null },
        ],
      );
      assert.equal(typeof page?.events[0]?.event.mutationId, 'string');
      assert.ok((page?.events[0]?.size ?? 0) > 20);
    },
  },
  {
    name: 'channel names are compared exactly',
    async run(fixture) {
      const channels = ['a', 'A', 'ä', 'a b', 'x'.repeat(255), '😀', '{"a",\\}', "it's"];
      const numbers = await writeAll(fixture, channels);
      const positions = channels.map((channel) => ({ channel, after: '0' }));
      assert.deepEqual(
        (await fixture.reader.read(positions, 10)).map(idsIn),
        numbers.map((number) => [number]),
      );
      assert.deepEqual(await fixture.reader.tops(channels), numbers);
    },
  },
  {
    name: 'the top of a channel is its greatest number, and stays when events are removed',
    async run(fixture) {
      const written = await writeAll(fixture, ['a', 'a', 'b', 'b', 'newest']);
      const tops = await fixture.reader.tops(['a', 'b', 'none']);
      assert.deepEqual(tops, [written[1], written[3], '0']);
      fixture.clock.advance(2 * HOUR);
      assert.equal(await pruneAll(fixture), 4);
      assert.deepEqual(await fixture.reader.tops(['a', 'b', 'none']), tops);
      assert.deepEqual(await fixture.reader.tops([]), []);
    },
  },
  {
    name: 'many positions are read at once',
    async run(fixture) {
      const channels = Array.from({ length: 250 }, (_, n) => `c${n}`);
      const written = await writeAll(fixture, [...channels.slice(0, 150), ...channels.slice(0, 150)]);
      const pages = await fixture.reader.read(
        channels.map((channel) => ({ channel, after: '0' })),
        1,
      );
      assert.deepEqual(
        pages.map(idsIn),
        channels.map((_, n) => (n < 150 ? [written[n]] : [])),
      );
    },
  },
];

const pruning: ConformanceCase<ChannelsFixture>[] = [
  {
    name: 'old processed events are removed, except for the newest one',
    async run(fixture) {
      const { clock, write, numbers } = fixture;
      await write('a', { processed: true });
      const waiting = await write('b');
      await write('a', { processed: true });
      clock.advance(HOUR + 1_000);
      const young = await write('a', { processed: true });
      assert.equal(await pruneAll(fixture), 2);
      assert.deepEqual(await numbers(), [waiting, young]);
      clock.advance(2 * HOUR);
      assert.equal(await pruneAll(fixture), 0, 'the newest stays');
      assert.deepEqual(await numbers(), [waiting, young]);
      const next = await write('c', { processed: true });
      assert.equal(await pruneAll(fixture), 1);
      assert.deepEqual(await numbers(), [waiting, next]);
    },
  },
  {
    name: 'only positions after which events were removed are told so, and up to which number',
    async run(fixture) {
      const [a1, a2, b1, a3] = (await writeAll(fixture, ['a', 'a', 'b', 'a'])) as [string, string, string, string];
      fixture.clock.advance(2 * HOUR);
      const a4 = await fixture.write('a');
      assert.equal(await pruneAll(fixture), 4);
      const read = async (channel: string, after: string) => {
        const [page] = await fixture.reader.read([{ channel, after }], 10);
        return page?.gone ?? idsIn(page);
      };
      for (const after of ['0', a1, a2]) assert.equal(await read('a', after), a3, after);
      assert.deepEqual(await read('a', a3), [a4]);
      assert.equal(await read('b', '0'), b1);
      assert.deepEqual(await read('b', b1), []);
      assert.deepEqual(await read('c', '0'), []);
    },
  },
  {
    name: 'the number up to which a channel was pruned never decreases',
    async run(fixture) {
      const late = await fixture.write('a');
      const [a1, newest] = (await writeAll(fixture, ['a', 'newest'])) as [string, string];
      fixture.clock.advance(2 * HOUR);
      await pruneAll(fixture);
      assert.deepEqual(await fixture.numbers(), [late, newest]);
      assert.equal((await fixture.reader.read([{ channel: 'a', after: late }], 10))[0]?.gone, a1);
      assert.deepEqual(await fixture.reader.tops(['a']), [a1]);
    },
  },
  {
    name: 'a batch removes at most the given number of events, and returns where the next one starts',
    async run(fixture) {
      const numbers = await writeAll(
        fixture,
        Array.from({ length: 7 }, (_, n) => `c${n % 3}`),
      );
      fixture.clock.advance(2 * HOUR);
      const first = await fixture.pruning.prune({ retainMs: HOUR, after: '0', limit: 3 });
      assert.deepEqual(first, { removed: 3, next: numbers[2] });
      assert.deepEqual(await fixture.numbers(), numbers.slice(3));
      assert.deepEqual(await fixture.pruning.prune({ retainMs: HOUR, after: numbers[2] ?? '', limit: 100 }), {
        removed: 3,
        next: undefined,
      });
      assert.equal(await pruneAll(fixture, 3), 0);
    },
  },
  {
    name: 'a pass ends at the first event that is too young',
    async run(fixture) {
      await writeAll(fixture, ['a', 'b']);
      fixture.clock.advance(2 * HOUR);
      const young = await writeAll(fixture, ['a', 'b', 'c', 'd']);
      assert.deepEqual(await fixture.pruning.prune({ retainMs: HOUR, after: '0', limit: 3 }), {
        removed: 2,
        next: undefined,
      });
      assert.deepEqual(await fixture.numbers(), young);
    },
  },
];

const snapshots: ConformanceCase<ChannelsFixture>[] = [
  {
    name: 'a snapshot contains the data that was read, and the position of its own channel',
    async run(fixture) {
      const at = async (channel: string) => fixture.snapshots.snapshot(channel, async () => 'read');
      assert.deepEqual(await at('a'), { data: 'read', sequenceId: '0' });
      const [a] = (await writeAll(fixture, ['a', 'b', 'b'])) as [string];
      assert.deepEqual(await at('a'), { data: 'read', sequenceId: a });
      fixture.clock.advance(2 * HOUR);
      assert.equal(await pruneAll(fixture), 2);
      assert.deepEqual(await at('a'), { data: 'read', sequenceId: a });
    },
  },
  {
    name: 'an error thrown while a snapshot reads is rethrown',
    async run({ snapshots }) {
      const failure = new Error('not readable');
      await assert.rejects(
        snapshots.snapshot('a', () => Promise.reject(failure)),
        (error) => error === failure,
      );
    },
  },
];

/** Guarantees for readers of channels. */
export const channelsConformance: ConformanceCase<ChannelsFixture>[] = [...reading, ...pruning, ...snapshots];
