import { ManualClock } from '../../../lib/core/time.js';
import { ShardKeeper } from '../../../lib/outbox/relay.js';
import { inMemoryRelayStorage, MemoryOutbox } from '../../../lib/outbox/relay.memory.js';
import { HeldShards } from '../../../lib/outbox/shards.js';
import { nodeServing, relayNodeId } from '../../../lib/outbox/storage.js';

const LEASE_MS = 30_000;
const BEAT_MS = LEASE_MS / 3;

describe('who keeps shards', () => {
  const setUp = () => {
    const clock = new ManualClock();
    const storage = inMemoryRelayStorage(new MemoryOutbox(clock));
    const errors: unknown[] = [];
    const keeperOf = async (name: string, destination: string) => {
      await storage.destinations.register([destination], 64);
      const held = new HeldShards();
      const nodeId = nodeServing(relayNodeId(name), [destination]);
      const options = { nodeId, leaseMs: LEASE_MS, elapsed: clock };
      const lost: number[] = [];
      const observer = {
        error: (error: unknown) => void errors.push(error),
        lost: (shards: readonly { shard: number }[]) => void lost.push(...shards.map(({ shard }) => shard)),
      };
      return { held, lost, keeper: new ShardKeeper(storage, held, [destination], observer, options) };
    };
    return { clock, storage, errors, keeperOf };
  };

  it('offers no shard to a process that does not have its destination', async () => {
    const { clock, keeperOf } = setUp();
    const both = [await keeperOf('web', 'broker'), await keeperOf('work', 'counts')];
    const counts: number[][] = [];
    for (let beat = 0; beat < 60; beat++) {
      for (const { keeper } of both) await keeper.beat();
      counts.push(both.map(({ held }) => held.all().length));
      clock.advance(BEAT_MS);
    }
    expect(counts).toEqual(counts.map(() => [64, 64]));
  });

  it('says that it has lost shards, also those that it takes again before it has looked', async () => {
    const { clock, storage, keeperOf } = setUp();
    const { held, lost, keeper } = await keeperOf('web', 'broker');
    await keeper.beat();
    for (const shard of held.all()) shard.underway = 1;
    await storage.nodes.beat(nodeServing(relayNodeId('work'), ['broker']), 10 * LEASE_MS);
    const acquire = storage.leases.acquire.bind(storage.leases);
    storage.leases.acquire = (...asked) => {
      // The process stands still for so long, and nobody has its shards since.
      clock.advance(3 * LEASE_MS);
      return acquire(...asked);
    };
    await keeper.beat();
    expect(lost.length).toBeGreaterThan(0);
    expect(lost).toHaveLength(held.losses);
  });

  it('says it once when another program signs in later, and leaves it nothing', async () => {
    const { storage, errors, keeperOf } = setUp();
    const { held, keeper } = await keeperOf('web', 'broker');
    await keeper.beat();
    await storage.nodes.beat('adbc', LEASE_MS);
    await keeper.beat();
    await keeper.beat();
    expect(errors).toMatchObject([{ code: 'OUTBOX_OCCUPIED', nodeId: 'adbc' }]);
    expect(held.all().filter(({ draining }) => !draining)).toHaveLength(64);
  });
});
