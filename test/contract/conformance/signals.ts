import assert from 'node:assert/strict';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { macrotask } from '../../../lib/core/time.js';
import type { ClaimedRun, RunTransition } from '../../../lib/engine/run.js';
import type { PurgeSignals, SignalCursor } from '../../../lib/engine/signals.js';
import {
  channelOf,
  deliver,
  type EngineStorageFixture,
  expire,
  given,
  record,
  running,
  send,
  signalTo,
  waiting,
  waitOf,
  writeOf,
} from './fixtures.js';

/** Guarantees for signals and waits. */
export const mailboxConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a signal is stored until a wait comes, and a wait until a signal comes',
    async run(at) {
      const [a, b] = await running(at, 'a', 'b');
      assert.deepEqual(await send(at, signalTo('x', 1)), ['sent']);
      await waiting(at, a!, 0, ['x']);
      assert.deepEqual(Object.keys(await given(at)), []);
      await deliver(at, channelOf('x'));
      await waiting(at, b!, 0, ['y']);
      await deliver(at, channelOf('y'));
      await send(at, signalTo('y', 2));
      await deliver(at);
      assert.deepEqual(await given(at), { 'a:0': '1@1', 'b:0': '2@1' });
    },
  },
  {
    name: 'a signal that was filed before the first wait is found by its channel',
    async run(at) {
      const [a] = await running(at, 'a');
      await send(at, signalTo('x', 1), signalTo('z', 2));
      await deliver(at);
      await waiting(at, a!, 0, ['x']);
      assert.deepEqual((await deliver(at)).answers, []);
      const { answers } = await deliver(at, channelOf('x'));
      assert.deepEqual(
        answers.map(({ stepId }) => stepId),
        ['a:0'],
      );
      assert.deepEqual(await given(at), { 'a:0': '1@1' });
      await deliver(at, channelOf('x'));
      assert.deepEqual(await given(at), {});
    },
  },
  {
    name: 'signals are delivered in the order in which they were sent, to each wait those after its position',
    async run(at) {
      const [a] = await running(at, 'a');
      for (const n of [1, 2, 3]) await send(at, signalTo('x', n));
      await send(at, signalTo('x', 4), signalTo('x', 5));
      for (const after of [0, 1, 2, 3, 4, 5]) {
        await waiting(at, a!, after, ['x'], { after });
        await deliver(at, channelOf('x'));
      }
      assert.deepEqual(await given(at), { 'a:0': '1@1', 'a:1': '2@2', 'a:2': '3@3', 'a:3': '4@4', 'a:4': '5@5' });
      await send(at, signalTo('x', 6));
      await deliver(at);
      assert.deepEqual(await given(at), { 'a:5': '6@6' });
    },
  },
  {
    name: 'a channel stores one signal per id',
    async run(at) {
      const [a] = await running(at, 'a');
      const once = (target: string, n: number) => signalTo(target, n, { dedupId: 'once' });
      assert.deepEqual(await send(at, once('x', 1), signalTo('x', 2), once('x', 3), once('y', 4)), [
        'sent',
        'sent',
        'known',
        'sent',
      ]);
      assert.deepEqual(await send(at, once('x', 5), once('x', 6)), ['known', 'known']);
      await deliver(at);
      assert.deepEqual(await send(at, once('x', 7), once('z', 8)), ['known', 'sent']);
      await record(at, a!, { waits: [0, 1, 2].map((seq) => waitOf(a!, seq, channelOf('x'), { after: seq })) });
      await deliver(at, channelOf('x'));
      assert.deepEqual(await given(at), { 'a:0': '1@1', 'a:1': '2@2' });
    },
  },
  {
    name: 'if many send the same id at once, one signal is stored',
    async run(at) {
      const sent = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          send(at, signalTo('x', n, { dedupId: 'once' }), signalTo('x', n, { dedupId: `own${n}` })),
        ),
      );
      assert.equal(sent.filter(([first]) => first === 'sent').length, 1);
      assert.ok(sent.every(([, own]) => own === 'sent'));
    },
  },
  {
    name: 'a signal to a run that does not exist is refused',
    async run(at) {
      await running(at, 'a');
      const toRun = (target: string, namespace = '') => signalTo(target, 1, { addressed: 'run', namespace });
      assert.deepEqual(await send(at, toRun('a'), toRun('none'), signalTo('none', 2), toRun('a', 'other')), [
        'sent',
        'no_run',
        'sent',
        'no_run',
      ]);
      assert.deepEqual(await send(at, toRun('none')), ['no_run']);
    },
  },
  {
    name: 'a signal after the deadline is not delivered, one at the deadline is',
    async run(at) {
      const [a] = await running(at, 'a');
      const deadline = at.clock.now() + 100;
      await record(at, a!, { waits: ['x', 'y'].map((key, seq) => waitOf(a!, seq, channelOf(key), { deadline })) });
      at.clock.advance(100);
      await send(at, signalTo('x', 1));
      at.clock.advance(1);
      await send(at, signalTo('y', 2));
      await deliver(at);
      assert.deepEqual(await given(at), { 'a:0': '1@1' });
    },
  },
  {
    name: 'a signal to a key is delivered to all runs that had started, and to only one of those that start later',
    async run(at) {
      const [a, b] = await running(at, 'a', 'b');
      at.clock.advance(10);
      await send(at, signalTo('x', 1));
      at.clock.advance(10);
      const [c, d] = await running(at, 'c', 'd');
      await waiting(at, c!, 0, ['x']);
      await waiting(at, d!, 0, ['x']);
      await deliver(at);
      const first = await given(at);
      assert.equal(Object.keys(first).length, 1);
      await waiting(at, a!, 0, ['x']);
      await waiting(at, b!, 0, ['x']);
      await deliver(at, channelOf('x'));
      assert.deepEqual(await given(at), { 'a:0': '1@1', 'b:0': '1@1' });
      await send(at, signalTo('x', 2));
      await deliver(at);
      assert.deepEqual(await given(at), { [first['c:0'] ? 'd:0' : 'c:0']: '2@2' });
    },
  },
  {
    name: 'runs that start later share the signals sent before, each gets another one',
    async run(at) {
      const signals = Array.from({ length: 6 }, (_, n) => signalTo('x', n));
      await send(at, ...signals);
      at.clock.advance(10);
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      const runs = await running(at, ...ids);
      for (const run of runs) await waiting(at, run, 0, ['x']);
      await deliver(at, channelOf('x'));
      const payloads = Object.values(await given(at)).map((text) => text.split('@')[0]);
      assert.deepEqual(payloads.sort(), ['0', '1', '2', '3', '4', '5']);
    },
  },
  {
    name: 'concurrent sends and deliveries: each wait gets one signal, none is lost',
    async run(at) {
      const count = 15;
      const [a] = await running(at, 'a');
      const channels = ['x', 'y', 'z'];
      const waits = channels.flatMap((key, c) =>
        Array.from({ length: count }, (_, n) => waitOf(a!, c * count + n, channelOf(key), { after: n })),
      );
      const sendAll = async (key: string) => {
        for (let n = 0; n < count; n++) await send(at, signalTo(key, n));
      };
      const recordAll = async () => {
        for (const wait of waits) {
          await record(at, a!, { waits: [wait] });
          await deliver(at, wait.channel);
        }
      };
      let sending = true;
      const deliverAll = async () => {
        while (sending) await deliver(at).then(macrotask);
      };
      await Promise.all([
        Promise.all([...channels.map(sendAll), recordAll()]).finally(() => (sending = false)),
        deliverAll(),
        deliverAll(),
      ]);
      await deliver(at);
      const expected = channels.flatMap((_, c) =>
        Array.from({ length: count }, (_, n) => [`a:${c * count + n}`, `${n}@${n + 1}`]),
      );
      assert.deepEqual(await given(at), Object.fromEntries(expected.sort(([p], [q]) => (p! < q! ? -1 : 1))));
    },
  },
  {
    name: 'engines are notified of signals',
    async run(at) {
      let heard = 0;
      const stop = at.storage.mailbox.onSignals(() => heard++);
      await send(at, signalTo('x', 1));
      await macrotask();
      assert.ok(heard > 0);
      stop();
    },
  },
  {
    name: 'signals of a transaction are sent at its commit, and block nobody before that (N3)',
    async run(at) {
      if (!at.transaction) return;
      const { mailbox } = at.storage;
      const [a] = await running(at, 'a');
      await record(at, a!, { waits: ['x', 'y'].map((key, seq) => waitOf(a!, seq, channelOf(key))) });
      await at.transaction(async (tx) => {
        // An id of its own: where a deleted signal of the same id is not purged yet, InnoDB locks the gap before it.
        const once = signalTo('x', 1, { dedupId: 'once in a transaction' });
        assert.deepEqual(await mailbox.send([once, signalTo('x', 2, { addressed: 'run' })], tx), ['sent', 'no_run']);
        assert.deepEqual(await mailbox.send([once], tx), ['known']);
        assert.deepEqual(await send(at, signalTo('x', 3), signalTo('y', 4)), ['sent', 'sent']);
        await deliver(at);
        assert.deepEqual(await given(at), { 'a:0': '3@1', 'a:1': '4@1' });
        await waiting(at, a!, 2, ['x'], { after: 1 });
      });
      await deliver(at);
      assert.deepEqual(await given(at), { 'a:2': '1@2' });
      const rolledBack = at.transaction(async (tx) => {
        await mailbox.send([signalTo('x', 5, { dedupId: 'twice' })], tx);
        throw new Error('no');
      });
      await assert.rejects(rolledBack, /no/);
      assert.deepEqual(await send(at, signalTo('x', 6, { dedupId: 'twice' })), ['sent']);
    },
  },
];

/** Guarantees for waiting steps, from the start of their wait to its end. */
export const signalWaitsConformance: ConformanceCase<EngineStorageFixture>[] = [
  {
    name: 'a step that listens to several channels is answered once, by the signal that was sent first',
    async run(at) {
      const [a] = await running(at, 'a');
      await send(at, signalTo('y', 1), signalTo('x', 2));
      await waiting(at, a!, 0, ['x', 'y', 'z']);
      await deliver(at);
      assert.deepEqual(await given(at), { 'a:0': '1@1' });
      await send(at, signalTo('z', 3));
      await deliver(at, channelOf('x'), channelOf('z'));
      assert.deepEqual(await given(at), {});
      await waiting(at, a!, 1, ['x', 'z']);
      await deliver(at, channelOf('z'));
      assert.deepEqual(await given(at), { 'a:1': '3@1' });
    },
  },
  {
    name: 'an expired wait gets a signal that was sent in time, and none that was sent later',
    async run(at) {
      const [a] = await running(at, 'a');
      const deadline = at.clock.now() + 100;
      await record(at, a!, { waits: ['x', 'y'].map((key, seq) => waitOf(a!, seq, channelOf(key), { deadline })) });
      await send(at, signalTo('x', 1));
      at.clock.advance(200);
      await send(at, signalTo('y', 2));
      const first = await expire(at, 'a:0', 'a:1');
      assert.deepEqual(first.expired, ['a:1']);
      assert.deepEqual(
        first.answers.map(({ stepId }) => stepId),
        ['a:0'],
      );
      assert.deepEqual((await expire(at, 'a:0', 'a:1')).expired, ['a:1']);
      await deliver(at, channelOf('x'), channelOf('y'));
      assert.deepEqual(await given(at), { 'a:0': '1@1' });
      await record(at, a!, { unwaits: ['a:1'] });
      assert.deepEqual((await expire(at, 'a:0', 'a:1')).expired, []);
    },
  },
  {
    name: 'a step that no longer waits gets no signal, one that waits again does',
    async run(at) {
      const [a] = await running(at, 'a');
      await waiting(at, a!, 0, ['x', 'y']);
      await record(at, a!, { unwaits: ['a:0'] });
      await send(at, signalTo('x', 1), signalTo('x', 2));
      await deliver(at);
      assert.deepEqual(await given(at), {});
      await record(at, a!, { unwaits: ['a:0'], waits: [waitOf(a!, 0, channelOf('x'), { after: 1 })] });
      await deliver(at, channelOf('x'));
      assert.deepEqual(await given(at), { 'a:0': '2@2' });
    },
  },
  {
    name: 'a run that has ended takes no signals from waiting runs',
    async run(at) {
      await send(at, signalTo('x', 1));
      at.clock.advance(10);
      const [a, b] = await running(at, 'a', 'b');
      await waiting(at, a!, 0, ['x']);
      const ended = { runId: 'a', epoch: a!.epoch, steps: [], tasks: [], takes: [], withdraws: [] };
      await at.storage.store.commit(
        [{ ...ended, transition: { status: 'completed', output: '1' } }],
        async () => undefined,
      );
      await deliver(at);
      await waiting(at, b!, 0, ['x']);
      await deliver(at, channelOf('x'));
      assert.deepEqual(await given(at), { 'b:0': '1@1' });
    },
  },
];

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
