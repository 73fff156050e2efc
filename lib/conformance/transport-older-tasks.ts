import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import { LAPSED_MS } from '../worker/task-source.js';
import { claim, LEASE_MS, reportOf, seqs, taskOf, type TransportFixture } from './transport.js';

/** A claim may start after tasks that were claimed before: tasks that become free there are found anyway. */
export const transportOlderTasksConformance: ConformanceCase<TransportFixture>[] = [
  {
    name: 'groups are listed page by page, with what waits, what is in hand, and what nobody renews',
    async run(at) {
      const groups = (query: object = {}) => at.source.groups?.({ after: '', limit: 10, atMost: 10, ...query });
      // A transport may omit it.
      if (!(await groups())) return;
      const from = at.clock.now();
      await at.dispatcher.dispatch([taskOf(0, { group: 'ü' }), taskOf(1, { group: 'ü' }), taskOf(2, { group: 'b' })]);
      const [lost] = await claim(at, { groups: ['ü'], names: ['charge'], limit: 1 });
      at.clock.advance(LAPSED_MS - 1_000);
      await at.dispatcher.dispatch([taskOf(3, { group: 'b' })]);
      const [held] = await claim(at, { groups: ['b'], names: ['charge'], limit: 1 });
      at.clock.advance(1_000);
      assert.ok(lost && held);
      const b = { group: 'b', waiting: 1, since: from + LAPSED_MS - 1_000, inHand: 1, lapsed: 0, more: false };
      const ue = { group: 'ü', waiting: 1, since: from, inHand: 0, lapsed: 1, more: false };
      assert.deepEqual(await groups(), [b, ue]);
      assert.deepEqual(await groups({ limit: 1 }), [b]);
      assert.deepEqual(await groups({ after: 'b' }), [ue]);
      assert.deepEqual(
        (await groups({ atMost: 1 }))?.map(({ more }) => more),
        [true, true],
      );
      assert.deepEqual(await groups({ after: 'ü' }), []);
      const idle = (group: string) => ({ group, waiting: 0, since: null, inHand: 0, lapsed: 0, more: false });
      const also = ['a', 'b', 'c'];
      assert.deepEqual(await groups({ also }), [idle('a'), b, idle('c'), ue]);
      assert.deepEqual(await groups({ also, limit: 2 }), [idle('a'), b]);
      assert.deepEqual(await groups({ also, after: 'b', limit: 1 }), [idle('c')]);
    },
  },
  {
    name: 'an expired task is found even if newer ones were claimed since',
    async run(at) {
      await dispatchTwo(at);
      const [, newer] = await claim(at);
      at.clock.advance(LEASE_MS + 1);
      await at.source.extend([newer!.claim]);
      assert.deepEqual(seqs(await claim(at, { workerId: 'w2' })), [1]);
    },
  },
  {
    name: 'a released task is found at once even if newer ones were claimed since',
    async run(at) {
      const stop = at.source.onTasks(() => {});
      try {
        await dispatchTwo(at);
        const [older, newer] = await claim(at);
        await at.source.release([older!.claim]);
        assert.deepEqual(seqs(await claim(at, { workerId: 'w2' })), [1]);
        assert.deepEqual(await at.source.report([reportOf(newer!)]), [true]);
      } finally {
        stop();
      }
    },
  },
];

async function dispatchTwo({ dispatcher, clock }: TransportFixture): Promise<void> {
  await dispatcher.dispatch([taskOf(1)]);
  clock.advance(100);
  await dispatcher.dispatch([taskOf(2)]);
}
