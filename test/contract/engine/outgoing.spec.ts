import { inMemoryTransaction } from '../../../lib/core/transaction.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import { inMemoryEngineStorage } from '../../../lib/engine/storage.memory.js';
import { sqlEngineStorage } from '../../../lib/engine/storage.sql.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { engineOutgoingConformance, type OutgoingFixture } from '../conformance/outgoing.js';
import { history, ownedOne, stepOf, writeOf } from '../conformance/fixtures.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
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

describeDatabases('what goes out with the records of steps in SQL', (at) => {
  let backend: OpenBackend;
  let fixture: OutgoingFixture;

  beforeAll(async () => {
    backend = await at.open();
    const db = executorOf(backend);
    const tables = tablesWithPrefix('durable');
    await migrate(db, tables);
    const clock = new ManualClock();
    const storage = sqlEngineStorage(
      db,
      tables,
      createNotifier(db, tables.prefix, () => {}),
      () => sql`${clock.now()}`,
    );
    fixture = { ...storage, clock, inTransaction: (work) => db.transaction(work) };
  });
  beforeEach(async () => {
    for (const table of ['runs', 'steps', 'nodes', 'signal_waits']) await backend.query(`DELETE FROM durable_${table}`);
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
    await lockWaiter(backend);
    commits.open();
    await Promise.all([first, again]);
    expect(out).toHaveLength(1);
    expect(await history(fixture, 'a')).toHaveLength(1);
  });
});
