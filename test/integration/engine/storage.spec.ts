import { answerWriterConformance } from '../../../lib/conformance/answer-writer.js';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import type { EngineStorageFixture } from '../../../lib/conformance/engine-storage.js';
import { keptSignalsConformance, refusedSignalsConformance } from '../../../lib/conformance/refused-signals.js';
import { limitsConformance } from '../../../lib/conformance/limits.js';
import { leftSignalsConformance } from '../../../lib/conformance/left-signals.js';
import { mailboxConformance } from '../../../lib/conformance/mailbox.js';
import { nodeRosterConformance } from '../../../lib/conformance/node-roster.js';
import { lastAnswersConformance } from '../../../lib/conformance/last-answers.js';
import { runControlConformance } from '../../../lib/conformance/run-control.js';
import { runEndingsConformance } from '../../../lib/conformance/run-endings.js';
import { runInsightConformance } from '../../../lib/conformance/run-insight.js';
import { runRemovalConformance } from '../../../lib/conformance/run-removal.js';
import { scheduleStoreConformance } from '../../../lib/conformance/schedule-store.js';
import { startsConformance } from '../../../lib/conformance/starts.js';
import { transactionsConformance } from '../../../lib/conformance/transactions.js';
import { signalWaitsConformance } from '../../../lib/conformance/signal-waits.js';
import { unfinishedRunsConformance } from '../../../lib/conformance/unfinished-runs.js';
import { ManualClock } from '../../../lib/time/clock.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { memoryStorage, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { emptyTables } from '../../support/empty-tables.js';

const cases: ConformanceCase<EngineStorageFixture>[] = [
  ...transactionsConformance,
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
  ...limitsConformance,
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
