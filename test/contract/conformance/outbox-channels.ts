import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { ManualClock } from '../../../lib/core/time.js';
import type { ChannelReader, ChannelSnapshots, EventPruning } from '../../../lib/outbox/channels.js';
import type { Inbox } from '../../../lib/outbox/destinations.js';

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

export interface InboxFixture {
  /** Empty. */
  inbox: Inbox;
}

const nothing = async (): Promise<void> => {};
const at = (sequenceId: string, channel = 'posts:1', consumer = 'counts') => ({ consumer, channel, sequenceId });

/** Guarantees for consumers of events. */
export const inboxConformance: ConformanceCase<InboxFixture>[] = [
  {
    name: 'an event is processed once, and not after a later one was processed',
    async run({ inbox }) {
      const taken: string[] = [];
      for (const id of ['1', '1', '2', '1', '7', '2', '7', '6', '8'])
        if (await inbox.receive(at(id), nothing)) taken.push(id);
      assert.deepEqual(taken, ['1', '2', '7', '8']);
    },
  },
  {
    name: 'numbers are compared as numbers, of any size',
    async run({ inbox }) {
      const numbers = ['9', '10', '9007199254740992', '9007199254740993', '9223372036854775807'];
      for (const id of numbers) assert.equal(await inbox.receive(at(id), nothing), true, id);
      for (const id of numbers) assert.equal(await inbox.receive(at(id), nothing), false, id);
    },
  },
  {
    name: 'consumers and channels are independent of each other',
    async run({ inbox }) {
      assert.equal(await inbox.receive(at('5'), nothing), true);
      const others = [at('1', 'posts:2'), at('1', 'POSTS:1'), at('1', 'posts:1 '), at('1', 'pösts:1'), at('1', '😀')];
      for (const other of others) assert.equal(await inbox.receive(other, nothing), true, other.channel);
      for (const other of others) assert.equal(await inbox.receive(other, nothing), false, other.channel);
      assert.equal(await inbox.receive(at('1', 'posts:1', 'mails'), nothing), true);
      const longest = at('1', '😀'.repeat(255), 'x'.repeat(191));
      assert.deepEqual([await inbox.receive(longest, nothing), await inbox.receive(longest, nothing)], [true, false]);
    },
  },
  {
    name: 'a requeued event is processed once, whichever later events of its channel were processed',
    async run({ inbox }) {
      assert.equal(await inbox.receive(at('7'), nothing), true);
      const back = { ...at('5'), requeued: true };
      assert.deepEqual([await inbox.receive(back, nothing), await inbox.receive(back, nothing)], [true, false]);
      assert.equal(await inbox.receive({ ...back, consumer: 'mails' }, nothing), true);
      assert.deepEqual([await inbox.receive(at('6'), nothing), await inbox.receive(at('8'), nothing)], [false, true]);
    },
  },
  {
    name: 'a failed event may be received again, and its error is rethrown',
    async run({ inbox }) {
      const failure = new Error('not yet');
      for (const id of ['1', '2']) {
        await assert.rejects(
          inbox.receive(at(id), () => Promise.reject(failure)),
          (error) => error === failure,
        );
        assert.equal(await inbox.receive(at(id), nothing), true, id);
      }
    },
  },
  {
    name: 'of many concurrent calls for an event one processes it, and the others wait for its outcome',
    async run({ inbox }) {
      for (const id of ['1', '2']) {
        let running = 0;
        let applied = 0;
        const apply = async () => {
          assert.equal(running++, 0, 'two at once');
          await new Promise((resolve) => setImmediate(resolve));
          running--;
          // The first call fails: another one receives the event.
          if (applied++ === 0) throw new Error('first');
        };
        const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(() => inbox.receive(at(id), apply)));
        const told = answers.map((answer) => (answer.status === 'rejected' ? 'failed' : String(answer.value)));
        assert.deepEqual(told.sort(), ['failed', 'false', 'false', 'false', 'true']);
        assert.equal(applied, 2);
      }
    },
  },
  {
    name: 'a greater number is not lost if a smaller one is the first of its channel at the same moment',
    async run({ inbox }) {
      const channels = Array.from({ length: 10 }, (_, n) => `posts:${n}`);
      const pairs = channels.flatMap((channel) => [at('5', channel), at('6', channel)]);
      const answers = await Promise.all(pairs.map((pair) => inbox.receive(pair, nothing)));
      assert.deepEqual(
        answers.filter((_, n) => n % 2 === 1),
        channels.map(() => true),
      );
    },
  },
];
