import type { ConformanceCase } from '../../lib/conformance/case.js';
import { ManualClock } from '../../lib/core/time.js';
import { createNotifier } from '../../lib/sql/notifier.js';
import type { LostAttemptsFixture } from '../contract/conformance/nodes.js';
import { describeDatabases, type OpenBackend } from './backends.js';
import { emptyTables } from './empty-tables.js';
import { executorOf, memoryStorage, type OpenStorage, sqlStorage } from './engine-storage.js';

/** What the ports of the engine promise, in memory and on every database. */
export function describeStorage(cases: readonly ConformanceCase<LostAttemptsFixture>[]): void {
  describe('the ports of the engine in memory', () => {
    it.each(cases)('$name', async ({ run }) => {
      const clock = new ManualClock();
      const storage = memoryStorage(clock);
      await run({ storage, clock, lostAttempts: storage.lostAttempts });
    });
  });

  describeDatabases('the ports of the engine in SQL', (at) => {
    let backend: OpenBackend;
    let storage: OpenStorage;
    const clock = new ManualClock();

    beforeAll(async () => {
      backend = await at.open({ poolMax: 20 });
      // It is not started: after each connecting it would tell listeners to read everything, at a moment of its own.
      const notifier = createNotifier(executorOf(backend), 'durable', () => undefined);
      storage = await sqlStorage(backend, { clock, notifier });
    });
    afterAll(async () => {
      await storage?.close();
      await backend?.close();
    });
    beforeEach(() => emptyTables(backend));

    it.each(cases)('$name', async ({ run }) => {
      await run({
        storage,
        clock,
        lostAttempts: storage.lostAttempts,
        transaction: (work) => storage.executor!.transaction(work),
      });
    });
  });
}
