import assert from 'node:assert/strict';
import type { ConformanceCase } from './case.js';
import { claim, LEASE_MS, reportOf, seqs, taskOf, type TransportFixture } from './transport.js';

/** A claim may start after tasks that were claimed before: tasks that become free there are found anyway. */
export const transportOlderTasksConformance: ConformanceCase<TransportFixture>[] = [
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
