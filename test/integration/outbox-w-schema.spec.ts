import { outboxTables, type OutboxTables } from '../../lib/outbox/sql-outbox-tables.js';
import { migrateOutbox, requireOutbox } from '../../lib/outbox/events/sql-outbox-schema.js';
import { migrate } from '../../lib/sql/migrator.js';
import type { SqlExecutor } from '../../lib/sql/sql-executor.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';
import { describeBackends, type OpenBackend } from '../support/backends.js';
import { executorOf } from '../support/db-transports.js';

const named = (table = 'durable_outbox', schema?: string): OutboxTables =>
  outboxTables('durable', { table, nodesTable: `${table}_nodes`, schema });

describeBackends('schema of the outbox', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 8 });
    executor = executorOf(backend, backend.handle);
    await migrate(executor, tablesWithPrefix('durable'));
  });
  afterAll(() => backend.close());

  it('is made once, by any number of processes', async () => {
    await expect(requireOutbox(executor, named())).rejects.toThrow(/table "durable_outbox".*index/);
    const made = await Promise.all(Array.from({ length: 4 }, () => migrateOutbox(executor, named())));
    expect(Math.max(...made.map((steps) => steps.length))).toBeGreaterThan(3);
    expect(await migrateOutbox(executor, named())).toEqual([]);
    await requireOutbox(executor, named());
  });
});
