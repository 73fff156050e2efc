import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import type { EngineStorageFixture } from './engine-storage.js';
import {
  channelOf,
  deliver,
  expire,
  given,
  record,
  running,
  send,
  signalTo,
  waiting,
  waitOf,
} from './mailbox-fixture.js';

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
