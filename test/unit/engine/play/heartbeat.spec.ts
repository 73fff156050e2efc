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

describe('Heartbeat', () => {
  /** That of the storage. */
  let clock: ManualClock;
  let elapsed: ManualClock;
  let store: InMemoryRunStore;
  let reaped: number;
  let heartbeat: Heartbeat;
  const pass = (ms: number) => {
    clock.advance(ms);
    elapsed.advance(ms);
  };

  beforeEach(async () => {
    clock = new ManualClock();
    elapsed = new ManualClock();
    const tables = new MemoryTables();
    store = new InMemoryRunStore(clock, tables);
    reaped = 0;
    const limits = { residencyMs: 1, maxResident: 10, suspectAfter: 3 };
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
    expect([heartbeat.nextWithinMs, reaped]).toEqual([expect.closeTo(LEASE_MS / 3 - 1_000), 0]);
    pass(heartbeat.nextWithinMs);
    await heartbeat.tick();
    expect(reaped).toBe(1);
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
