import assert from 'node:assert/strict';
import type { Answering } from '../engine/model/mailbox.js';
import { StatementTooLargeError } from '../errors.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { channelOf, given, record, running, send, signalTo, waitOf } from './mailbox-fixture.js';

const REFUSED = 666;

/** A database that does not take the answers that hold {@link REFUSED}. */
const answeringOf =
  ({ storage }: EngineStorageFixture): Answering =>
  async (answers, tx) => {
    if (answers.some(({ output }) => output?.includes(`"${REFUSED}"`))) throw new StatementTooLargeError(2, 1);
    await storage.answers.answer(answers, tx);
  };

/** What is promised of signals whose delivery the database refuses for its values. */
export const refusedSignalsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'refused channels are named, change nothing, and hold up no other once they are left out',
    async run(at) {
      const { mailbox } = at.storage;
      const [a] = await running(at, 'a');
      const keys = Array.from({ length: 210 }, (_, n) => `k${n}`);
      const last = keys.reduce((one, other) => (channelOf(one) > channelOf(other) ? one : other));
      await record(at, a!, { waits: keys.map((key, seq) => waitOf(a!, seq, channelOf(key))) });
      await send(at, ...keys.map((key) => signalTo(key, key === last ? 1 : REFUSED)));
      const without = new Set<string>();
      for (let looks = 0; looks < 2; looks++) {
        const { refused } = await mailbox.deliver(answeringOf(at), undefined, without);
        assert.ok(refused.every(({ channel }) => !without.has(channel)));
        for (const { channel, error } of refused) {
          without.add(channel);
          assert.match(error.message, /^Signal "told" to key "k\d+" cannot be delivered/);
        }
      }
      assert.equal(without.size, keys.length - 1);
      assert.deepEqual(await given(at), { [`a:${keys.indexOf(last)}`]: '1@1' });
      const { refused } = await mailbox.deliver(answeringOf(at), undefined, without);
      assert.deepEqual(refused, []);
      const [first] = without;
      await mailbox.deliver((answers, tx) => at.storage.answers.answer(answers, tx), [first!]);
      assert.deepEqual(Object.values(await given(at)), [`${REFUSED}@1`]);
    },
  },
  {
    name: 'a wait whose signal is refused is left as it is, by its own look and by its deadline',
    async run(at) {
      const { mailbox } = at.storage;
      const [a] = await running(at, 'a');
      const deadline = at.clock.now() + 100;
      await send(at, signalTo('x', REFUSED), signalTo('y', 1));
      await record(at, a!, { waits: ['x', 'y'].map((key, seq) => waitOf(a!, seq, channelOf(key), { deadline })) });
      const { refused } = await mailbox.deliver(answeringOf(at), [channelOf('x'), channelOf('y')]);
      assert.deepEqual(
        refused.map(({ channel }) => channel),
        [channelOf('x')],
      );
      assert.deepEqual(await given(at), { 'a:1': '1@1' });
      at.clock.advance(101);
      await assert.rejects(mailbox.expire(['a:0'], answeringOf(at)), StatementTooLargeError);
      const { expired } = await mailbox.expire(['a:0'], (answers, tx) => at.storage.answers.answer(answers, tx));
      assert.deepEqual(expired, []);
      assert.deepEqual(await given(at), { 'a:0': `${REFUSED}@1` });
    },
  },
];
