import type { StepTask } from '../../../lib/core/protocol.js';
import { inMemoryTransaction } from '../../../lib/core/transaction.js';
import type { ClaimedRun } from '../../../lib/engine/run.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import { inMemoryEngineStorage } from '../../../lib/engine/storage.memory.js';
import { sqlEngineStorage } from '../../../lib/engine/storage.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { engineOutgoingConformance, type OutgoingFixture } from '../conformance/outgoing.js';
import { alone, history, owned, ownedOne, stepOf, taskFor, writeOf } from '../conformance/fixtures.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { holdingWithin } from '../../support/holding-executor.js';
import { lockWaiter } from '../../support/lock-waiters.js';

describe('what goes out with the records of steps in memory', () => {
  it.each(engineOutgoingConformance)('$name', async ({ run }) => {
    const clock = new ManualClock();
    await run({
      ...inMemoryEngineStorage(clock),
      clock,
      inTransaction: (work) => inMemoryTransaction(undefined, work),
    });
  });
});

const storageOf = (db: SqlExecutor, clock: ManualClock) =>
  sqlEngineStorage(
    db,
    tablesWithPrefix('durable'),
    createNotifier(db, 'durable', () => {}),
    () => sql`${clock.now()}`,
  );

describeDatabases('what goes out with the records of steps in SQL', (at) => {
  let backend: OpenBackend;
  let fixture: OutgoingFixture & ReturnType<typeof storageOf>;

  beforeAll(async () => {
    backend = await at.open();
    const db = executorOf(backend);
    await migrate(db, tablesWithPrefix('durable'));
    const clock = new ManualClock();
    fixture = { ...storageOf(db, clock), clock, inTransaction: (work) => db.transaction(work) };
  });
  beforeEach(async () => {
    for (const table of ['runs', 'steps', 'nodes', 'signal_waits', 'limiters', 'limiter_entries'])
      await backend.query(`DELETE FROM durable_${table}`);
  });
  afterAll(() => backend.close());

  it.each(engineOutgoingConformance)('$name', ({ run }) => run(fixture));

  it('a write that is tried again waits for its first try, where that is still under way on the server', async () => {
    const run = await ownedOne(fixture, 'a');
    const publishes = [{ seq: 0, events: [{ mutationId: 'm', channel: 'c', data: null, headers: null }] }];
    const write: RunWrite = writeOf(run, { steps: [stepOf('a', 0)], extras: { publishes } });
    const out: RunWrite[] = [];
    const sending = async (accepted: readonly RunWrite[]) =>
      void out.push(...accepted.filter(({ extras }) => extras?.publishes?.length));
    const [written, commits] = [gate(), gate()];
    const first = fixture.inTransaction(async (tx) => {
      await fixture.store.commit([write], sending, tx);
      written.open();
      await commits.opened;
    });
    await written.opened;
    const again = fixture.store.commit([{ ...write, again: true }], sending);
    await Promise.race([lockWaiter(backend), again]).finally(() => commits.open());
    await Promise.all([first, again]);
    expect(out).toHaveLength(1);
    expect(await history(fixture, 'a')).toHaveLength(1);
  });

  it('a commit holds the runs that it writes alone, however few there are', async () => {
    const [a, b] = (await owned(fixture, ['a', 'b'])) as [ClaimedRun, ClaimedRun];
    const [written, commits] = [gate(), gate()];
    const first = fixture.inTransaction(async (tx) => {
      await fixture.store.commit([writeOf(a, { clearCrashes: true })], alone, tx);
      written.open();
      await commits.opened;
    });
    await written.opened;
    // Otherwise it waits until the server gives up.
    const refused = await fixture.store
      .commit([writeOf(b, { clearCrashes: true })], alone)
      .finally(() => commits.open());
    await first;
    expect(refused).toEqual([]);
  });

  it('a limit is not exceeded by a process between whose reads another one grants permits', async () => {
    const run = await ownedOne(fixture, 'a');
    const limitRequest = { limiter: 'l', namespace: '', name: 'charge', key: '', limits: { concurrency: 2 } };
    const queues = [0, 1, 2].map((seq) => ({ task: taskFor('a', seq), limitRequest, priority: 0 }));
    const steps = queues.map(({ task: { seq } }) => stepOf('a', seq, { ref: 'l' }));
    const sent: string[] = [];
    const sending = async (tasks: readonly StepTask[]) => void sent.push(...tasks.map(({ stepId }) => stepId));
    const add = (from: number, to: number) =>
      fixture.store.commit(
        [writeOf(run, { steps: steps.slice(from, to), extras: { queues: queues.slice(from, to) } })],
        async () => {},
      );
    await add(0, 1);
    await fixture.admissions.grant(['l'], sending);
    await add(1, 3);
    // It has counted one permit, and has not read the queue yet.
    const late = holdingWithin(executorOf(backend), 'granted');
    const first = storageOf(late.executor, fixture.clock).admissions.grant(['l'], sending);
    await late.held;
    const second = fixture.admissions.grant(['l'], sending);
    await Promise.race([lockWaiter(backend), second]).finally(() => late.letGo());
    await Promise.all([first, second]);
    expect(sent).toEqual(['a:0', 'a:1']);
  });
});
