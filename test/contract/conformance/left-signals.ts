import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { StatementTooLargeError } from '../../../lib/core/errors.js';
import { givingUp } from '../../../lib/engine/control.js';
import type { ClaimedRun, RunTransition } from '../../../lib/engine/run.js';
import type { Outgoing } from '../../../lib/engine/runs.js';
import type { Answering } from '../../../lib/engine/signals.js';
import {
  channelOf,
  claim,
  commit,
  deliver,
  type EngineStorageFixture,
  given,
  history,
  record,
  running,
  send,
  signalTo,
  stepOf,
  waiting,
  waitOf,
  writeOf,
} from './fixtures.js';

const blocked = { status: 'suspended', wakeAt: null, settled: 0, reason: 'programming_error' } as const;
const completed = { status: 'completed', output: '1' } as const;

/** Two runs that wait for an earlier signal; `a` has received it but not taken it. */
async function contended(at: EngineStorageFixture): Promise<ClaimedRun[]> {
  await send(at, signalTo('x', 1));
  at.clock.advance(10);
  const runs = await running(at, 'a', 'b');
  await waiting(at, runs[0]!, 0, ['x']);
  await deliver(at);
  await waiting(at, runs[1]!, 0, ['x']);
  await deliver(at, channelOf('x'));
  return runs;
}

/** Acts like an engine during `work`: notes released signals and delivers them. */
async function delivering(at: EngineStorageFixture, work: () => Promise<unknown>): Promise<void> {
  const offered = new Set<string>();
  const stop = at.storage.mailbox.onSignals((channels) => channels?.forEach((channel) => offered.add(channel)));
  await work();
  stop();
  if (offered.size > 0) await deliver(at, ...offered);
}

/** Acts like an engine on answers: removes those to runs without an owner. */
const collecting = (at: EngineStorageFixture) =>
  delivering(at, async () => {
    const { dispatcher, store } = at.storage;
    // Reads again what it released itself.
    for (let round = 0; round < 2; round++) {
      const { answers } = await dispatcher.peek(100);
      await store.settleUnowned('', answers, (stepIds, tx) => dispatcher.take(stepIds, tx));
    }
  });

const close = ({ storage }: EngineStorageFixture, id: string, how: 'cancelled' | 'terminated' = 'cancelled') =>
  storage.control.close(id, how, givingUp(storage));

/** Withdraws tasks, like an engine's commits. */
const withdrawing =
  ({ storage }: EngineStorageFixture): Outgoing =>
  async (writes, tx) =>
    storage.dispatcher.withdraw(
      writes.flatMap(({ withdraws }) => withdraws),
      tx,
    );

async function block(at: EngineStorageFixture, run: ClaimedRun): Promise<void> {
  const transition = blocked;
  assert.deepEqual(await commit({ ...at.storage, clock: at.clock }, writeOf(run, { transition })), []);
}

const stepsOf = async (at: EngineStorageFixture, id: string) =>
  (await history({ ...at.storage, clock: at.clock }, id)).map(({ status }) => status);

const LEAVING: Record<string, RunTransition> = {
  'ends early': { status: 'failed', error: { name: 'E', message: 'e', code: 'E' } },
  'starts compensating': { status: 'compensating', closing: 'failed', settled: 0 },
  'continues as new': { status: 'pending', input: '1', firstSeq: 1 },
};

/** Signals reserved for a run that ends before it takes them. */
export const leftSignalsConformance: ConformanceCase<EngineStorageFixture>[] = [
  ...(['cancelled', 'terminated'] as const).map((how) => ({
    name: `signals that a run had not taken when it was ${how} go to another waiting run`,
    async run(at: EngineStorageFixture) {
      await contended(at);
      assert.equal(await close(at, 'a', how), 'ended');
      await collecting(at);
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  })),
  {
    name: 'signals given to a run while it was blocked go to another waiting run when it is closed',
    async run(at) {
      const [a] = await contended(at);
      await block(at, a!);
      await collecting(at);
      assert.deepEqual(await stepsOf(at, 'a'), ['answered']);
      assert.equal(await close(at, 'a'), 'ended');
      await collecting(at);
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  },
  {
    name: 'signals given to a blocked run are not delivered when it is closed and compensates: they go to another waiting run',
    async run(at) {
      const [a] = await contended(at);
      await record(at, a!, { unwinds: true });
      await block(at, a!);
      await collecting(at);
      assert.equal(await close(at, 'a'), 'closing');
      assert.deepEqual(await stepsOf(at, 'a'), ['pending']);
      const [again] = await claim({ ...at.storage, clock: at.clock });
      assert.equal(again?.closing, 'cancelled');
      await collecting(at);
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  },
  ...Object.entries(LEAVING).map(([how, transition]) => ({
    name: `a signal that is being delivered to a run when it ${how} goes to another waiting run`,
    async run(at: EngineStorageFixture) {
      const [a] = await contended(at);
      const write = writeOf(a!, { transition, withdraws: ['a:0'], extras: { unwaits: ['a:0'] } });
      await delivering(at, () => at.storage.store.commit([write], withdrawing(at)));
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  })),
  {
    name: 'signals that a run explicitly leaves go to another waiting run',
    async run(at) {
      const [a] = await contended(at);
      await at.storage.dispatcher.take(['a:0']);
      const receives = [{ channel: channelOf('x'), position: 1, how: 'left' as const }];
      await delivering(at, () => record(at, a!, { receives }));
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  },
  {
    name: 'signals given to a run that has ended go to another waiting run, even if an engine dies before the delivery',
    async run(at) {
      const [a] = await contended(at);
      const { store, dispatcher } = at.storage;
      await store.commit([writeOf(a!, { transition: completed })], async () => undefined);
      const { answers } = await dispatcher.peek(100);
      const left = async () => {
        await store.settleUnowned('', answers, (stepIds, tx) => dispatcher.take(stepIds, tx));
        return (await dispatcher.peek(100)).answers.length;
      };
      // If an engine can die before the delivery, the answer stays until the next read.
      if (at.transaction) assert.equal(await left(), 1);
      await delivering(at, left);
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  },
  {
    name: 'signals given to other steps of the same run stay with them; those that nobody waits for go to later waits',
    async run(at) {
      await send(at, signalTo('x', 1), signalTo('y', 2));
      at.clock.advance(10);
      const [a, b] = await running(at, 'a', 'b');
      await record(at, a!, { waits: ['x', 'x', 'y'].map((key, seq) => waitOf(a!, seq, channelOf(key))) });
      await deliver(at);
      const over = stepOf('a', 0, { kind: 'signal', name: 'told', status: 'completed', settled: 1 });
      const steps = [over, { ...over, seq: 2, settled: 2 }];
      const parked = { status: 'suspended', wakeAt: null, settled: 2 } as const;
      await at.storage.store.commit([writeOf(a!, { steps, transition: parked })], async () => undefined);
      await collecting(at);
      assert.deepEqual(await stepsOf(at, 'a'), ['completed', 'answered', 'completed']);
      await record(at, b!, { waits: ['x', 'y'].map((key, seq) => waitOf(b!, seq, channelOf(key))) });
      await deliver(at, channelOf('x'), channelOf('y'));
      assert.deepEqual(await given(at), { 'b:1': '2@1' });
    },
  },
  {
    name: 'signals that a run kept stay with it when it ends',
    async run(at) {
      const [a] = await contended(at);
      await record(at, a!, { receives: [{ channel: channelOf('x'), position: 1, how: 'kept' }] });
      assert.equal(await close(at, 'a'), 'ended');
      await collecting(at);
      assert.deepEqual(await given(at), {});
    },
  },
  {
    name: 'signals given to a run that has ended and is deleted go to another waiting run, whichever process deletes it',
    async run(at) {
      const { store, removal } = at.storage;
      const [a] = await contended(at);
      await store.commit([writeOf(a!, { transition: completed })], async () => undefined);
      assert.deepEqual(await removal.delete(['a'], givingUp(at.storage)), ['a']);
      await collecting(at);
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  },
  {
    name: 'if closing a run is rolled back, its signals are not given to others',
    async run(at) {
      const { storage, transaction } = at;
      if (!transaction) return;
      await contended(at);
      const rolledBack = transaction(async (tx) => {
        await storage.control.close('a', 'cancelled', givingUp(storage), tx);
        throw new Error('boom');
      });
      await assert.rejects(rolledBack, /boom/);
      await collecting(at);
      assert.deepEqual(await given(at), { 'a:0': '1@1' });
      await transaction((tx) => storage.control.close('a', 'cancelled', givingUp(storage), tx));
    },
  },
];

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
