import assert from 'node:assert/strict';
import type { ClaimedRun, RunTransition } from '../engine/model/run.js';
import type { PurgeSignals, SignalCursor } from '../engine/model/mailbox.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { channelOf, deliver, given, record, running, send, signalTo, waitOf } from './mailbox-fixture.js';
import { writeOf } from './run-store.js';

const OLD: PurgeSignals = { namespace: '', olderThanMs: 500, limit: 10 };
const ERROR = { name: 'Error', message: 'no' };

/** Goes through all signals to runs, page by page. */
async function purgeOfRuns({ storage }: EngineStorageFixture, request = OLD): Promise<number> {
  let total = 0;
  let cursor: SignalCursor | undefined;
  do {
    const { purged, next } = await storage.signalRemoval.purgeOfRuns(request, cursor);
    total += purged;
    cursor = next;
  } while (cursor);
  return total;
}

async function end(at: EngineStorageFixture, run: ClaimedRun | undefined, transition: RunTransition): Promise<void> {
  await at.storage.store.commit([writeOf(run!, { transition })], async () => undefined);
}

/** Guarantees of the deletion of signals. */
export const oldSignalsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'old signals to keys are purged, the oldest first; newer ones are still delivered (N5)',
    async run(at) {
      const { signalRemoval } = at.storage;
      const [a] = await running(at, 'a', 'b');
      await send(at, signalTo('b', 1, { addressed: 'run' }), signalTo('x', 2), signalTo('x', 3), signalTo('y', 4));
      await deliver(at);
      await record(at, a!, { receives: [{ channel: channelOf('x'), position: 1, how: 'kept' }] });
      at.clock.advance(1_000);
      assert.equal(await signalRemoval.purgeOfKeys({ ...OLD, olderThanMs: 2_000 }), 0);
      await send(at, signalTo('z', 5));
      assert.equal(await signalRemoval.purgeOfKeys({ ...OLD, limit: 2 }), 2);
      assert.equal(await signalRemoval.purgeOfKeys({ ...OLD, namespace: 'other' }), 0);
      assert.equal(await signalRemoval.purgeOfKeys(OLD), 1);
      assert.equal(await signalRemoval.purgeOfKeys(OLD), 0);
      await record(at, a!, { waits: [waitOf(a!, 0, channelOf('z')), waitOf(a!, 1, channelOf('x'))] });
      await send(at, signalTo('x', 6));
      await deliver(at, channelOf('z'), channelOf('x'));
      assert.deepEqual(await given(at), { 'a:0': '5@1', 'a:1': '6@3' });
    },
  },
  {
    name: 'signals of a channel that nobody has taken are deleted, the first ones first, and no others',
    async run(at) {
      const { signalRemoval, acts } = at.storage;
      const remove = (target: string, limit: number) =>
        acts.within(undefined, (tx) => signalRemoval.deleteUntaken(channelOf(target), limit, tx));
      const [a] = await running(at, 'a');
      await send(at, ...[1, 2, 3, 4].map((payload) => signalTo('x', payload)), signalTo('y', 5));
      assert.equal(await remove('x', 10), 0, 'they are not filed');
      await deliver(at);
      await record(at, a!, { receives: [{ channel: channelOf('x'), position: 2, how: 'kept' }] });
      assert.equal(await remove('x', 2), 2);
      assert.equal(await remove('unknown', 2), 0);
      await record(at, a!, { waits: [waitOf(a!, 0, channelOf('x')), waitOf(a!, 1, channelOf('y'))] });
      await deliver(at, channelOf('x'), channelOf('y'));
      assert.deepEqual(await given(at), { 'a:0': '4@4', 'a:1': '5@1' });
      assert.equal(await remove('x', 10), 0, 'the last one is delivered');
    },
  },
  {
    name: 'a signal is not purged before it is filed, since its sender may still be open',
    async run(at) {
      await send(at, signalTo('x', 1));
      at.clock.advance(1_000);
      assert.equal(await at.storage.signalRemoval.purgeOfKeys(OLD), 0);
      await deliver(at);
      assert.equal(await at.storage.signalRemoval.purgeOfKeys(OLD), 1);
    },
  },
  {
    name: 'signals that nobody took are purged when their run was completed or cancelled long enough ago',
    async run(at) {
      const names = ['completed', 'cancelled', 'failed', 'open'];
      const runs = await running(at, ...names);
      const named = (id: string) => runs.find((run) => run.id === id);
      await send(at, ...names.map((name, n) => signalTo(name, n, { addressed: 'run' })));
      await deliver(at);
      at.clock.advance(1_000);
      assert.equal(await purgeOfRuns(at), 0);
      await end(at, named('completed'), { status: 'completed', output: '1' });
      await end(at, named('cancelled'), { status: 'cancelled', error: ERROR });
      await end(at, named('failed'), { status: 'failed', error: ERROR });
      at.clock.advance(400);
      assert.equal(await purgeOfRuns(at), 0, 'they have just ended');
      at.clock.advance(100);
      assert.equal(await purgeOfRuns(at, { ...OLD, namespace: 'other' }), 0);
      assert.equal(await purgeOfRuns(at, { ...OLD, limit: 1 }), 2, 'page by page');
      assert.equal(await purgeOfRuns(at), 0, 'one may be retried, the other continues');
    },
  },
  {
    name: 'a signal that a run has taken is purged, and one that it has not taken is still delivered',
    async run(at) {
      const [a] = await running(at, 'a');
      const toRun = channelOf('a', 'run');
      await send(at, signalTo('a', 1, { addressed: 'run' }), signalTo('a', 2, { addressed: 'run' }));
      await deliver(at);
      await record(at, a!, { receives: [{ channel: toRun, position: 1, how: 'kept' }] });
      at.clock.advance(1_000);
      assert.equal(await purgeOfRuns(at), 1);
      await record(at, a!, { waits: [waitOf(a!, 0, toRun, { after: 1 })] });
      await deliver(at, toRun);
      assert.deepEqual(await given(at), { 'a:0': '2@2' });
    },
  },
];
