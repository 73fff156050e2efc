import { taskOf } from '../../../lib/conformance/transport.js';
import { Telemetry } from '../../../lib/core/telemetry.js';
import { macrotask, ManualClock } from '../../../lib/core/time.js';
import { inMemoryEngineStorage } from '../../../lib/engine/storage.memory.js';
import { createWorkers } from '../../../lib/nest/engine.providers.js';
import type { ServedStep } from '../../../lib/nest/explorers.js';
import { settingsOf } from '../../../lib/nest/options.js';
import type { Storage } from '../../../lib/nest/storage.providers.js';
import type { StepHandler } from '../../../lib/worker/handlers.js';
import { InMemoryTransport } from '../../../lib/worker/transport.memory.js';
import { until } from '../../support/until.js';
import { deferred } from './worker-harness.js';

/** The first renewal comes after a second. */
const LEASE_MS = 3_000;

const served = (name: string, run: StepHandler): ServedStep => ({
  step: { name, group: name, method: name, options: { name }, worker: {} },
  // Any class will do.
  type: Telemetry,
  run,
});

describe('the clocks of an app’s workers', () => {
  const realNow = Date.now;
  afterEach(() => void (Date.now = realNow));

  it('have a wall clock that is put forward take no lease', async () => {
    const clock = new ManualClock();
    const source = new InMemoryTransport(clock);
    const signal = deferred<AbortSignal>();
    const end = deferred<string>();
    const slow = served('slow', (_, step) => (signal.resolve(step.signal), end.promise));
    const telemetry = new Telemetry();
    let failedBeats = 0;
    telemetry.on('loop.error', ({ loop }) => void (failedBeats += loop === 'worker.extend' ? 1 : 0));
    const settings = settingsOf({ worker: { leaseDuration: LEASE_MS } });
    const storage = { source, engine: inMemoryEngineStorage(clock) } as unknown as Storage;
    const [worker] = createWorkers([slow], { settings, storage, telemetry, workerId: 'w1' });
    source.extend = () => Promise.reject(new Error('away'));
    await source.dispatch([taskOf(1, { name: 'slow', group: 'slow' })]);
    worker!.start();
    const aborted = await signal.promise;
    Date.now = () => realNow() + LEASE_MS;
    await until('a failed beat', () => failedBeats > 0);
    await macrotask();
    expect(aborted.aborted).toBe(false);
    end.resolve('done');
    await until('the answer', async () => (await source.peek(1)).answers.length === 1);
    await worker!.stop();
  });
});
