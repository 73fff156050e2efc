import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { ManualClock } from '../../../lib/core/time.js';
import {
  keptSignalsConformance,
  leftSignalsConformance,
  refusedSignalsConformance,
} from '../conformance/left-signals.js';
import { limitsConformance } from '../conformance/limits.js';
import {
  lostAttemptsConformance,
  type LostAttemptsFixture,
  nodeRosterConformance,
  samplesConformance,
} from '../conformance/nodes.js';
import { actLogConformance, holdsConformance } from '../conformance/operators.js';
import { answerWriterConformance } from '../conformance/outgoing.js';
import { runEditsConformance, unfinishedRunsConformance } from '../conformance/run-catalog.js';
import { transactionsConformance } from '../conformance/run-commits.js';
import { runControlConformance, runResumptionConformance } from '../conformance/run-control.js';
import { lastAnswersConformance, runEndingsConformance, runRemovalConformance } from '../conformance/run-endings.js';
import { erasureRivalConformance, runErasureConformance } from '../conformance/run-erasure.js';
import {
  fleetInsightConformance,
  runInsightConformance,
  runListingConformance,
  runStoryConformance,
  stepReadsConformance,
} from '../conformance/run-insight.js';
import { runLivesConformance, startsConformance } from '../conformance/run-lives.js';
import { scheduleStoreConformance } from '../conformance/schedules.js';
import { mailboxConformance, oldSignalsConformance, signalWaitsConformance } from '../conformance/signals.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { emptyTables } from '../../support/empty-tables.js';
import { memoryStorage, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';

const cases: ConformanceCase<LostAttemptsFixture>[] = [
  ...transactionsConformance,
  ...answerWriterConformance,
  ...scheduleStoreConformance,
  ...runControlConformance,
  ...runResumptionConformance,
  ...runLivesConformance,
  ...lastAnswersConformance,
  ...runRemovalConformance,
  ...runEditsConformance,
  ...runEndingsConformance,
  ...runErasureConformance,
  ...erasureRivalConformance,
  ...runInsightConformance,
  ...fleetInsightConformance,
  ...runListingConformance,
  ...runStoryConformance,
  ...stepReadsConformance,
  ...lostAttemptsConformance,
  ...nodeRosterConformance,
  ...samplesConformance,
  ...mailboxConformance,
  ...oldSignalsConformance,
  ...holdsConformance,
  ...keptSignalsConformance,
  ...refusedSignalsConformance,
  ...leftSignalsConformance,
  ...signalWaitsConformance,
  ...limitsConformance,
  ...startsConformance,
  ...unfinishedRunsConformance,
  ...actLogConformance,
];

describe('the ports of the engine', () => {
  it('have conformance cases', () => expect(cases).toBeDefined());
});

describe('the ports of the engine in memory', () => {
  it.each(cases.length > 0 ? cases : [{ name: 'none yet', run: async () => {} }])('$name', async ({ run }) => {
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
    storage = await sqlStorage(backend, { clock });
  });
  afterAll(async () => {
    await storage?.close();
    await backend?.close();
  });
  beforeEach(() => emptyTables(storage.executor!));

  it.each(cases.length > 0 ? cases : [{ name: 'none yet', run: async () => {} }])('$name', async ({ run }) => {
    await run({
      storage,
      clock,
      lostAttempts: storage.lostAttempts,
      transaction: (work) => storage.executor!.transaction(work),
    });
  });
});
