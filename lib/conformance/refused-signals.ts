import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { channelOf, deliver, given, record, running, send, signalTo, waitOf, waiting } from './mailbox-fixture.js';
import { claim, commit, writeOf } from './run-store.js';
import type { Answering } from '../engine/model/mailbox.js';
import { StatementTooLargeError } from '../errors/database-errors.js';

/** Which signals a run keeps, and which are released to others. */
export const keptSignalsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'signals that a run refused go to others, signals that it kept do not',
    async run(at) {
      await send(at, signalTo('x', 1), signalTo('y', 2));
      at.clock.advance(10);
      const [a, b] = await running(at, 'a', 'b');
      await record(at, a!, { waits: ['x', 'y'].map((key, seq) => waitOf(a!, seq, channelOf(key))) });
      await deliver(at);
      assert.deepEqual(await given(at), { 'a:0': '1@1', 'a:1': '2@1' });
      await record(at, b!, { waits: ['x', 'y'].map((key, seq) => waitOf(b!, seq, channelOf(key))) });
      await deliver(at, channelOf('x'), channelOf('y'));
      assert.deepEqual(await given(at), {});
      await record(at, a!, {
        receives: [
          { channel: channelOf('x'), position: 1, how: 'refused' },
          { channel: channelOf('y'), position: 1, how: 'kept' },
        ],
      });
      await deliver(at, channelOf('x'), channelOf('y'));
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  },
  {
    name: 'signals that a run kept in an earlier life are not delivered to it again, signals that nobody wanted are',
    async run(at) {
      const [a] = await running(at, 'a');
      const toRun = (n: number) => signalTo('a', n, { addressed: 'run' });
      const channel = channelOf('a', 'run');
      await send(at, toRun(1), toRun(2));
      await deliver(at);
      await record(at, a!, { receives: [{ channel, position: 1, how: 'kept' }] });
      at.clock.advance(10);
      const since = at.clock.now();
      await record(at, a!, { waits: [waitOf(a!, 7, channel, { since })] });
      await deliver(at, channel);
      assert.deepEqual(await given(at), { 'a:7': '2@2' });
    },
  },
  {
    name: 'a signal that a run kept is not delivered to it again, whatever the clock said when it was sent',
    async run(at) {
      const [a] = await running(at, 'a');
      const toRun = (n: number) => signalTo('a', n, { addressed: 'run' });
      const channel = channelOf('a', 'run');
      await send(at, toRun(1), toRun(2));
      await deliver(at);
      await record(at, a!, { receives: [{ channel, position: 1, how: 'kept' }] });
      // Simulates a start in the same millisecond, or a clock that was set back.
      await record(at, a!, { waits: [waitOf(a!, 7, channel, { since: at.clock.now() - 1_000 })] });
      await deliver(at, channel);
      assert.deepEqual(await given(at), { 'a:7': '2@2' });
    },
  },
  {
    name: 'a signal that several runs kept is not delivered to them again if they continue as new in the same millisecond',
    async run(at) {
      const [a, b] = await running(at, 'a', 'b');
      await send(at, signalTo('x', 1), signalTo('x', 2));
      await waiting(at, a!, 0, ['x']);
      await waiting(at, b!, 0, ['x']);
      await deliver(at, channelOf('x'));
      assert.deepEqual(await given(at), { 'a:0': '1@1', 'b:0': '1@1' });
      const receives = [{ channel: channelOf('x'), position: 1, how: 'kept' as const }];
      const transition = { status: 'pending', input: '1', firstSeq: 1 } as const;
      for (const run of [a!, b!])
        await commit({ ...at.storage, clock: at.clock }, writeOf(run, { extras: { receives }, transition }));
      for (const run of await claim({ ...at.storage, clock: at.clock })) await waiting(at, run, 1, ['x']);
      await deliver(at, channelOf('x'));
      for (const said of Object.values(await given(at))) assert.equal(said, '2@2');
    },
  },
  {
    name: 'a signal that one run kept and another refused is delivered to another wait of the second run',
    async run(at) {
      const [a, b] = await running(at, 'a', 'b');
      await send(at, signalTo('x', 1));
      const taken = (how: 'kept' | 'refused') => ({ receives: [{ channel: channelOf('x'), position: 1, how }] });
      for (const [run, how] of [[a!, 'kept'] as const, [b!, 'refused'] as const]) {
        await waiting(at, run, 0, ['x']);
        await deliver(at, channelOf('x'));
        assert.deepEqual(await given(at), { [`${run.id}:0`]: '1@1' });
        await record(at, run, taken(how));
      }
      await waiting(at, b!, 1, ['x']);
      await deliver(at, channelOf('x'));
      assert.deepEqual(await given(at), { 'b:1': '1@1' });
    },
  },
];

const REFUSED = 666;

/** A database that rejects answers with {@link REFUSED}. */
const answeringOf =
  ({ storage }: EngineStorageFixture): Answering =>
  async (answers, tx) => {
    if (answers.some(({ output }) => output?.includes(`"${REFUSED}"`))) throw new StatementTooLargeError(2, 1);
    await storage.answers.answer(answers, tx);
  };

/** Guarantees for signals whose delivery the database rejects because of their values. */
export const refusedSignalsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'channels whose delivery the database rejects are returned and change nothing; without them the others are delivered',
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
    name: 'a wait whose signal the database rejects stays unchanged, on delivery and at its deadline',
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
