import fc from 'fast-check';
import { ManualClock } from '../../../lib/core/time.js';
import { inMemoryRelayStorage, MemoryOutbox } from '../../../lib/outbox/relay.memory.js';
import { Interleaving, interleavings, type OutboxUnderTest } from '../../support/outbox-interleavings.js';
import { sized } from '../../support/tiers.js';

/** Memory rolls nothing back: there, what does not commit is not written. */
function inMemory(): OutboxUnderTest {
  const clock = new ManualClock();
  const tables = new MemoryOutbox(clock);
  const committed: { channel: string; id: string; poison: boolean }[] = [];
  return {
    clock,
    storage: () => inMemoryRelayStorage(tables),
    write: async (puts, commits) => {
      for (const { channel, poison } of commits ? puts : []) {
        const event = { mutationId: 'm', channel, name: poison ? 'poison' : 'n', rejected: false, data: null };
        committed.push({ channel, poison, id: tables.append({ ...event, headers: null }).sequenceId });
      }
    },
    committed: () => Promise.resolve(committed),
    leftovers: () =>
      Promise.resolve([
        ...[...tables.pending.keys()].map((channel) => `${channel} has pending events`),
        ...[...tables.shards].filter(([, { owner }]) => owner !== undefined).map(([key]) => `${key} is owned`),
      ]),
  };
}

describe('events in any order of things', () => {
  it('are applied as they committed, but for those that are put aside', async () => {
    await fc.assert(
      fc.asyncProperty(interleavings, async (steps) => {
        const interleaving = new Interleaving(inMemory());
        await interleaving.play(steps);
        expect(await interleaving.contradictions()).toEqual([]);
      }),
      { numRuns: sized(300, 100) },
    );
  });
});
