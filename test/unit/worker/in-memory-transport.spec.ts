import {
  transportAnswersConformance,
  transportAttemptsConformance,
} from '../../../lib/conformance/transport-answers.js';
import { transportTasksConformance } from '../../../lib/conformance/transport.js';
import { ManualClock } from '../../../lib/core/time.js';
import { until } from '../../support/until.js';
import { workerHarness } from './worker-harness.js';
import { InMemoryTransport } from '../../../lib/worker/transport.memory.js';

describe('the transport in memory', () => {
  it.each([...transportTasksConformance, ...transportAnswersConformance, ...transportAttemptsConformance])(
    '$name',
    async ({ run }) => {
      const clock = new ManualClock();
      const transport = new InMemoryTransport(clock);
      await run({ dispatcher: transport, source: transport, leases: transport, clock });
    },
  );

  it('tells a test how many tasks it has, and which have failed for good', async () => {
    const at = workerHarness();
    const { transport } = at;
    at.handle('fails', () => {
      throw new Error('declined');
    });
    await at.dispatch([1, { name: 'fails' }], [2, { name: 'fails' }], [3, { name: 'nobody' }]);
    expect([transport.size(), transport.dead]).toEqual([3, []]);
    at.worker.start();
    await until('both have failed', () => at.answered(2));
    expect(transport.size()).toBe(1);
    const told = transport.dead.map(({ task, error }) => [task.seq, (JSON.parse(error!) as Error).message]);
    expect(told.sort()).toEqual([
      [1, 'declined'],
      [2, 'declined'],
    ]);
    // Another attempt was asked for.
    await transport.take(transport.dead.map(({ task }) => task.stepId));
    await at.worker.stop();
    await transport.dispatch([{ ...transport.dead[0]!.task, input: 'null', attempt: 2 }]);
    expect(transport.dead).toHaveLength(1);
  });
});
