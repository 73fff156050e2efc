import {
  transportAnswersConformance,
  transportAttemptsConformance,
} from '../../../lib/conformance/transport-answers.js';
import { transportTasksConformance } from '../../../lib/conformance/transport.js';
import { ManualClock } from '../../../lib/core/time.js';
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
});
