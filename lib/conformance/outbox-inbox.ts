import assert from 'node:assert/strict';
import type { Inbox } from '../outbox/inbox/inbox.js';
import type { ConformanceCase } from './case.js';

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
