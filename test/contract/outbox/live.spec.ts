import type { OutboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { channelsConformance } from '../conformance/outbox-channels.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';
import { liveTables, sqlChannels } from '../../support/outbox-channels.js';

describeDatabases('channels of the outbox', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  let tables: OutboxTables;

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
    executor = executorOf(backend);
    tables = await liveTables(executor);
  });
  afterAll(() => backend?.close());

  it.each(channelsConformance)('$name', async ({ run }) => run(await sqlChannels(executor, tables)));
});
