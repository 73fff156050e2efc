import type { EffectGroup } from '../../../lib/effects/effect-entry.js';
import { inMemoryEffectStorage } from '../../../lib/effects/entries/in-memory-effect-storage.js';
import { MemoryEffects } from '../../../lib/effects/entries/memory-effects.js';
import { ManualClock } from '../../../lib/time/clock.js';
import { effectClaimConformance } from '../../../lib/conformance/effects-claims.js';
import { effectCompletionConformance } from '../../../lib/conformance/effects-completion.js';
import { effectErasureConformance } from '../../../lib/conformance/effects-erasure.js';
import { effectEnqueueConformance } from '../../../lib/conformance/effects-enqueue.js';
import { effectOperatorConformance } from '../../../lib/conformance/effects-operators.js';
import { effectRemovalConformance } from '../../../lib/conformance/effects-removal.js';
import { effectSettlementConformance } from '../../../lib/conformance/effects-settlements.js';
import { describeBackends } from '../../support/backends.js';
import { type EffectsDatabase, effectsDatabase } from '../../support/effects-database.js';
import { amongAwaited, memoryTransactions } from '../../support/effects-in-memory.js';

const cases = [
  ...effectEnqueueConformance,
  ...effectClaimConformance,
  ...effectSettlementConformance,
  ...effectCompletionConformance,
  ...effectOperatorConformance,
  ...effectRemovalConformance,
  ...effectErasureConformance,
];

describe('the ports of effects in memory', () => {
  it.each(cases)('$name', async ({ run }) => {
    const clock = new ManualClock();
    const tables = new MemoryEffects(clock);
    const transactions = memoryTransactions();
    const groups: EffectGroup[] = [];
    const options = { transactions, awaited: amongAwaited(groups) };
    await run({
      storage: inMemoryEffectStorage(tables, options),
      clock,
      awaited: groups,
      withSink: (sink) => inMemoryEffectStorage(tables, { ...options, sink }),
      inTransaction: transactions.begin,
      rows: async () =>
        [...tables.entries.values()]
          .sort((a, b) => (a.entryId < b.entryId ? -1 : 1))
          .map(({ entryId, status, attempts, dueAt, token, payload, lastError }) => ({
            entryId,
            status,
            attempts,
            dueAt,
            token,
            payload,
            lastError,
          })),
      recordUnknown: async (group, type) => {
        const event = { ...group, eventId: 'later', entryId: null, handler: null, details: {} };
        tables.events.push({ ...event, type: type as never, recordedAt: new Date(clock.now()) });
      },
    });
  });
});

describeBackends('the ports of effects in SQL', (at) => {
  let database: EffectsDatabase;

  beforeAll(async () => {
    database = await effectsDatabase(at);
  });
  afterAll(() => database?.close());
  beforeEach(() => database.empty());

  it.each(cases)('$name', async ({ run }) => {
    await run(database.fixture());
  });
});
