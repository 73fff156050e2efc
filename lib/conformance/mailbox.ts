import assert from 'node:assert/strict';
import { macrotask } from '../time/sleep.js';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { channelOf, deliver, given, record, running, send, signalTo, waiting, waitOf } from './mailbox-fixture.js';

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
      const count = 40;
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
        const once = signalTo('x', 1, { dedupId: 'once' });
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
