import { transportAnswersConformance } from '../../../lib/conformance/transport-answers.js';
import { transportAttemptsConformance } from '../../../lib/conformance/transport-attempts.js';
import { transportTasksConformance } from '../../../lib/conformance/transport-tasks.js';
import { ManualClock } from '../../../lib/time/clock.js';
import { InMemoryTransport } from '../../../lib/transport/in-memory-transport.js';

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
