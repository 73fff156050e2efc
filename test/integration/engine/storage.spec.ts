import { actLogConformance } from '../../../lib/conformance/act-log.js';
import { answerWriterConformance } from '../../../lib/conformance/answer-writer.js';
import { fleetInsightConformance } from '../../../lib/conformance/fleet-insight.js';
import { runListingConformance } from '../../../lib/conformance/run-listing.js';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { keptSignalsConformance, refusedSignalsConformance } from '../../../lib/conformance/refused-signals.js';
import { limitsConformance } from '../../../lib/conformance/limits.js';
import { leftSignalsConformance } from '../../../lib/conformance/left-signals.js';
import { lostAttemptsConformance, type LostAttemptsFixture } from '../../../lib/conformance/lost-attempts.js';
import { mailboxConformance } from '../../../lib/conformance/mailbox.js';
import { holdsConformance } from '../../../lib/conformance/holds.js';
import { oldSignalsConformance } from '../../../lib/conformance/old-signals.js';
import { nodeRosterConformance } from '../../../lib/conformance/node-roster.js';
import { lastAnswersConformance } from '../../../lib/conformance/last-answers.js';
import { runControlConformance } from '../../../lib/conformance/run-control.js';
import { runEditsConformance } from '../../../lib/conformance/run-edits.js';
import { erasureRivalConformance } from '../../../lib/conformance/run-erasure-rivals.js';
import { runErasureConformance } from '../../../lib/conformance/run-erasure.js';
import { runStoryConformance } from '../../../lib/conformance/run-story.js';
import { runEndingsConformance } from '../../../lib/conformance/run-endings.js';
import { runInsightConformance } from '../../../lib/conformance/run-insight.js';
import { runLivesConformance } from '../../../lib/conformance/run-lives.js';
import { runResumptionConformance } from '../../../lib/conformance/run-resumption.js';
import { runRemovalConformance } from '../../../lib/conformance/run-removal.js';
import { samplesConformance } from '../../../lib/conformance/samples.js';
import { scheduleStoreConformance } from '../../../lib/conformance/schedule-store.js';
import { startsConformance } from '../../../lib/conformance/starts.js';
import { stepReadsConformance } from '../../../lib/conformance/step-reads.js';
import { transactionsConformance } from '../../../lib/conformance/transactions.js';
import { signalWaitsConformance } from '../../../lib/conformance/signal-waits.js';
import { unfinishedRunsConformance } from '../../../lib/conformance/unfinished-runs.js';
import { ManualClock } from '../../../lib/time/clock.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
import { memoryStorage, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { emptyTables } from '../../support/empty-tables.js';

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
    await run({
      storage,
      clock,
      lostAttempts: storage.lostAttempts,
      transaction: (work) => storage.executor!.transaction(work),
    });
  });
});
