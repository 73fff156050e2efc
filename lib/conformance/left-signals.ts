import assert from 'node:assert/strict';
import { givingUp } from '../engine/endings/giving-up.js';
import type { Outgoing } from '../engine/model/run-store.js';
import type { ClaimedRun, RunTransition } from '../engine/model/run.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { channelOf, deliver, given, record, running, send, signalTo, waiting, waitOf } from './mailbox-fixture.js';
import { claim, commit, history, stepOf, writeOf } from './run-store.js';

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
