import { answerWriterConformance } from '../../lib/testing/conformance/answer-writer.js';
import type { ConformanceCase } from '../../lib/testing/conformance/case.js';
import type { EngineStorageFixture } from '../../lib/testing/conformance/engine-storage.js';
import { keptSignalsConformance } from '../../lib/testing/conformance/kept-signals.js';
import { lanesConformance } from '../../lib/testing/conformance/lanes.js';
import { leftSignalsConformance } from '../../lib/testing/conformance/left-signals.js';
import { mailboxConformance } from '../../lib/testing/conformance/mailbox.js';
import { nodeRosterConformance } from '../../lib/testing/conformance/node-roster.js';
import { lastAnswersConformance } from '../../lib/testing/conformance/last-answers.js';
import { refusedSignalsConformance } from '../../lib/testing/conformance/refused-signals.js';
import { runControlConformance } from '../../lib/testing/conformance/run-control.js';
import { runEndingsConformance } from '../../lib/testing/conformance/run-endings.js';
import { runInsightConformance } from '../../lib/testing/conformance/run-insight.js';
import { runRemovalConformance } from '../../lib/testing/conformance/run-removal.js';
import { scheduleStoreConformance } from '../../lib/testing/conformance/schedule-store.js';
import { startsConformance } from '../../lib/testing/conformance/starts.js';
import { signalWaitsConformance } from '../../lib/testing/conformance/signal-waits.js';
import { unfinishedRunsConformance } from '../../lib/testing/conformance/unfinished-runs.js';
import { ManualClock } from '../../lib/testing/manual-clock.js';
import { describeBackends, type OpenBackend } from '../support/backends.js';
import { memoryStorage, type OpenStorage, sqlStorage } from '../support/engine-storage.js';
import { emptyTables } from '../support/empty-tables.js';

const cases: ConformanceCase<EngineStorageFixture>[] = [
  ...answerWriterConformance,
  ...scheduleStoreConformance,
  ...runControlConformance,
  ...lastAnswersConformance,
  ...runRemovalConformance,
  ...runEndingsConformance,
  ...runInsightConformance,
  ...nodeRosterConformance,
  ...mailboxConformance,
  ...keptSignalsConformance,
  ...refusedSignalsConformance,
  ...leftSignalsConformance,
  ...signalWaitsConformance,
  ...lanesConformance,
  ...startsConformance,
  ...unfinishedRunsConformance,
];

describe('the ports of the engine', () => {
  it('have conformance cases', () => expect(cases).toBeDefined());
});

describe('the ports of the engine in memory', () => {
  it.each(cases.length > 0 ? cases : [{ name: 'none yet', run: async () => {} }])('$name', async ({ run }) => {
    const clock = new ManualClock();
    await run({ storage: memoryStorage(clock), clock });
  });
});

describeBackends('the ports of the engine in SQL', (at) => {
  let backend: OpenBackend;
  let storage: OpenStorage;
  const clock = new ManualClock();

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
    storage = await sqlStorage(backend, { clock });
  });
  afterAll(async () => {
    await storage?.close();
    await backend?.close();
  });
  beforeEach(() => emptyTables(storage.executor!));

  it.each(cases.length > 0 ? cases : [{ name: 'none yet', run: async () => {} }])('$name', async ({ run }) => {
    await run({ storage, clock, transaction: (work) => storage.executor!.transaction(work) });
  });
});
