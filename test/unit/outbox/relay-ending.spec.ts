import { Intake, NOTHING_HELD } from '../../../lib/acts/holds.js';
import { ProcessEndingError } from '../../../lib/core/errors.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { Destination, RelayOptions } from '../../../lib/outbox/destinations.js';
import { OutboxRelay } from '../../../lib/outbox/relay.js';
import { inMemoryRelayStorage, MemoryOutbox } from '../../../lib/outbox/relay.memory.js';
import { relayNodeId } from '../../../lib/outbox/storage.js';
import { intercepted } from '../../../lib/testing/crash-explorer.js';
import { until } from '../../support/until.js';

const OPTIONS: Omit<RelayOptions, 'nodeId' | 'intake'> = {
  leaseMs: 30_000,
  publishTimeoutMs: 10_000,
  concurrency: 1,
  buffer: 100,
  channelsPerShard: 10,
  eventsPerChannel: 5,
  pollMs: 1_000,
  debounceMs: 50,
  fixedRate: false,
  policy: { onPoison: 'park', attempts: 1, backoff: { delay: 0 }, crashes: 3 },
};
const quiet = { live: false, subscribe: () => () => undefined };

describe('a relay whose process ends', () => {
  let tables: MemoryOutbox;
  let intake: Intake;
  beforeEach(() => {
    tables = new MemoryOutbox(new ManualClock());
    intake = new Intake(NOTHING_HELD);
  });
  const append = (...channels: string[]) => {
    for (const channel of channels)
      tables.append({ mutationId: 'm', channel, name: 'n', rejected: false, data: null, headers: null });
  };
  const relay = (
    deliver: Destination['deliver'],
    more: Partial<RelayOptions> = {},
    around = (_: string, call: () => unknown) => call(),
  ) => {
    const storage = intercepted(inMemoryRelayStorage(tables), around);
    const destinations = [{ name: 'broker', batchSize: 1, deliver }];
    return new OutboxRelay(storage, destinations, quiet, {}, { nodeId: relayNodeId('unit'), ...OPTIONS, ...more });
  };
  const counts = (channel: string) => {
    const { attempts, crashed } = tables.channel('broker', channel);
    return { attempts, crashes: crashed.size };
  };
  const rest = async () => {
    const delivered: string[] = [];
    await relay(async (events) => void delivered.push(...events.map(({ sequenceId }) => sequenceId))).runOnce();
    expect(tables.dead.size).toBe(0);
    return delivered.sort();
  };

  it.each(['started', 'run once'])('delivers nothing more, and counts no failure: %s', async (how) => {
    append('a', 'a', 'b');
    const reasons: unknown[] = [];
    const one = relay(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(new Error('the client is closed'));
          });
          intake.end();
        }),
      { intake },
    );
    if (how === 'started') await one.start();
    else expect(await one.runOnce()).toBe(0);
    await until('it has ended', () => reasons.length > 0);
    await one.stop();
    expect(reasons).toEqual([expect.any(ProcessEndingError)]);
    expect(['a', 'b'].map(counts)).toEqual(['a', 'b'].map(() => ({ attempts: 0, crashes: 0 })));
    expect(await one.runOnce()).toBe(0);
    expect(await rest()).toEqual(['1', '2', '3']);
  });

  it('acknowledges what is delivered all the same', async () => {
    append('a', 'a');
    const one = relay(
      (_, { signal }) => {
        intake.end();
        return Promise.resolve(expect(signal.aborted).toBe(true));
      },
      { intake },
    );
    await one.start();
    await until('it has ended', () => intake.isEnding);
    await one.stop();
    expect(await rest()).toEqual(['2']);
  });

  it('withdraws the crash that it has counted in advance', async () => {
    append('a');
    const storage = inMemoryRelayStorage(tables);
    await storage.destinations.register(['broker'], 64);
    const wanted = Array.from({ length: 64 }, (_, shard) => shard);
    await storage.leases.acquire('dead', { destination: 'broker', wanted, strays: 0, leaseMs: 1 });
    (tables.clock as ManualClock).advance(60_001);
    let begun = 0;
    const around = async (name: string, call: () => unknown) => {
      const answer = await call();
      if (name === 'countCrash') intake.end();
      return answer;
    };
    const one = relay(async () => void begun++, { intake }, around);
    await one.start();
    await until('it has ended', () => intake.isEnding);
    await one.stop();
    // Only the one that has died is left on the list.
    expect([begun, counts('a')]).toEqual([0, { attempts: 0, crashes: 1 }]);
    expect(await rest()).toEqual(['1']);
  });

  it('gives back what ignores its signal', async () => {
    append('a');
    let begun = 0;
    const one = relay(() => (begun++, new Promise(() => undefined)), { shutdownMs: 1 });
    await one.start();
    await until('it has begun', () => begun > 0);
    await one.stop();
    expect([...tables.shards.values()].filter(({ owner }) => owner !== undefined)).toEqual([]);
    expect(counts('a')).toEqual({ attempts: 0, crashes: 0 });
    expect(await rest()).toEqual(['1']);
  });
});
