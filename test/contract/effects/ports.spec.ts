import { ManualClock } from '../../../lib/core/time.js';
import type { EffectGroup } from '../../../lib/effects/entries.js';
import { inMemoryEffectStorage, MemoryEffects } from '../../../lib/effects/entries.memory.js';
import { effectClaimConformance, effectCompletionConformance } from '../conformance/effects-claims.js';
import { effectEntriesConformance } from '../conformance/effects-entries.js';
import {
  effectErasureConformance,
  effectOperatorConformance,
  effectRemovalConformance,
} from '../conformance/effects-operators.js';
import { effectEnqueueConformance, effectSettlementConformance } from '../conformance/effects.js';
import { describeDatabases } from '../../support/backends.js';
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
  ...effectEntriesConformance,
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

describeDatabases('the ports of effects in SQL', (at) => {
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
