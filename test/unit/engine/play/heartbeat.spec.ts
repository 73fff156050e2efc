import { ManualClock, SynchronizedClock } from '../../../../lib/core/time.js';
import { Heartbeat, RunClaimer } from '../../../../lib/engine/play/claims.js';
import { ResidentRuns } from '../../../../lib/engine/play/residency.js';
import { InMemoryRunStore } from '../../../../lib/engine/runs.memory.js';
import { InMemoryRunCatalog } from '../../../../lib/engine/starts.memory.js';
import { MemoryTables } from '../../../../lib/engine/tables.memory.js';
import { WorkflowRegistry } from '../../../../lib/engine/workflow.js';
import { InMemoryTransport } from '../../../../lib/worker/transport.memory.js';

const LEASE_MS = 10_000;
const order = { name: 'order', version: 1 };

/** Where the server has no sessions of processes that have lapsed. */
class ServerInMemory extends InMemoryRunStore {
  override async dead(nodeIds: readonly string[]) {
    return nodeIds.map((id) => ({ id, groups: ['far'], expiresAt: 0 }));
  }
}

describe('Heartbeat', () => {
  /** That of the storage. */
  let clock: ManualClock;
  let elapsed: ManualClock;
  let store: InMemoryRunStore;
  let reaped: number;
  /** Those whose tasks were to be freed, and what is answered. */
  let freed: string[];
  let isFree: boolean;
  let heartbeat: Heartbeat;
  const pass = (ms: number) => {
    clock.advance(ms);
    elapsed.advance(ms);
  };

  beforeEach(async () => {
    clock = new ManualClock();
    elapsed = new ManualClock();
    const tables = new MemoryTables();
    store = new ServerInMemory(clock, tables);
    [reaped, freed, isFree] = [0, [], true];
    const limits = { residencyMs: 1, maxResident: 10 };
    const residents = new ResidentRuns(new InMemoryTransport(clock), clock, limits);
    const own = { nodeId: 'own', namespace: '', batchSize: 1, clocks: [elapsed] as const, leaseMs: LEASE_MS };
    const claimer = new RunClaimer(
      { store, roster: store },
      new WorkflowRegistry(),
      residents,
      () => undefined,
      async () => [],
      own,
    );
    heartbeat = new Heartbeat(store, store, residents, claimer, new SynchronizedClock(clock), {
      node: { id: 'own', namespace: '', roles: '' },
      leaseMs: LEASE_MS,
      onReaped: (runs) => (reaped += runs),
      free: async (dead) => {
        freed.push(...dead.map(({ id }) => id));
        return isFree;
      },
      elapsed,
    });
    const more = { input: 'null', priority: 0, delayMs: 0 };
    await new InMemoryRunCatalog(clock, tables).create([
      { id: 'r1', namespace: '', workflow: 'order', version: 1, ...more },
    ]);
    await store.beat({ id: 'other', namespace: '', roles: '' }, LEASE_MS);
    await store.claim({ nodeId: 'other', namespace: '', workflows: [order], limit: 1, which: 'due' });
    await heartbeat.tick();
  });

  const beats = async (times: number) => {
    for (let n = 0; n < times; n++) {
      pass(LEASE_MS / 3);
      await heartbeat.tick();
    }
  };

  it('takes the runs of a process whose lease has run out', async () => {
    await beats(4);
    expect(reaped).toBe(1);
  });

  it('beats again as soon as the lease of another process has run out', async () => {
    await store.beat({ id: 'young', namespace: '', roles: '' }, 2 * LEASE_MS);
    expect(heartbeat.nextWithinMs).toBe(LEASE_MS / 3);
    await beats(2);
    pass(1_000);
    await heartbeat.tick();
    const [nextMs, lapseInMs] = [heartbeat.nextWithinMs, LEASE_MS / 3 - 1_000];
    expect(nextMs).toBeGreaterThanOrEqual(Math.floor(lapseInMs));
    expect(nextMs).toBeLessThan(lapseInMs + LEASE_MS / 30);
    expect(reaped).toBe(0);
    pass(nextMs);
    await heartbeat.tick();
    expect(reaped).toBe(1);
  });

  it('frees the tasks of each process that has died once, and again while some could not be', async () => {
    for (const id of ['w1', 'w2']) await store.beat({ id, namespace: '', roles: 'worker' }, LEASE_MS);
    isFree = false;
    await beats(4);
    expect(freed).toEqual(['w1', 'w2']);
    isFree = true;
    await beats(3);
    expect(freed).toEqual(['w1', 'w2', 'w1', 'w2']);
    // It was back, and has died again.
    await store.beat({ id: 'w2', namespace: '', roles: 'worker' }, LEASE_MS);
    await beats(4);
    expect(freed).toEqual(['w1', 'w2', 'w1', 'w2', 'w2']);
  });

  it('frees no tasks when it has missed beats itself', async () => {
    await store.beat({ id: 'w1', namespace: '', roles: 'worker' }, LEASE_MS);
    pass(2 * LEASE_MS);
    await heartbeat.tick();
    expect(freed).toEqual([]);
    await beats(4);
    expect(freed).toEqual(['w1']);
  });

  it('gives others the time to come back when it has missed beats itself: the database was away for all (E21)', async () => {
    pass(2 * LEASE_MS);
    await heartbeat.tick();
    expect(reaped).toBe(0);
    await beats(2);
    expect(reaped).toBe(0);
    await beats(2);
    expect(reaped).toBe(1);
  });

  it('gives others the time to beat when the clock of the database is put forward, as when another server takes over', async () => {
    clock.advance(LEASE_MS);
    await beats(1);
    expect(reaped).toBe(0);
    await store.beat({ id: 'other', namespace: '', roles: '' }, LEASE_MS);
    await beats(4);
    expect(reaped).toBe(1);
  });

  it('judges by a clock of the database that only goes a little faster', async () => {
    clock.advance(LEASE_MS / 4);
    await beats(3);
    expect(reaped).toBe(1);
  });
});
