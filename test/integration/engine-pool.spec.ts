import type { WorkflowContext } from '../../lib/engine/workflow-context.js';
import { write } from '../support/app-transactions.js';
import { describeBackends, type OpenBackend } from '../support/backends.js';
import { engineParts } from '../support/engine-parts.js';
import { sqlStorage, workerOn } from '../support/engine-storage.js';

describeBackends('an app whose pool has one connection', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => {
    backend = await at.open({ poolMax: 1 });
    await backend.query('CREATE TABLE app_ledger (entry varchar(64) NOT NULL)');
  });
  afterAll(() => backend.close());

  it('is never waited for inside its own transaction: all that belongs to one goes over one connection (E22)', async () => {
    const storage = await sqlStorage(backend);
    const parts = engineParts(storage);
    const worker = workerOn(storage, { far: (n: number) => n });
    const enter = (tx: unknown, entry: string) =>
      write(backend.orm, tx, `INSERT INTO app_ledger (entry) VALUES ('${entry}')`);
    parts.define('inner', async (ctx: WorkflowContext, n: number) => ctx.remote('far', n));
    parts.define('outer', async (ctx: WorkflowContext) => {
      // Branches compete for the connection; each has its own only while its work goes on.
      await Promise.all(
        [1, 2, 3].map((n) =>
          ctx.transaction(`enter-${n}`, async (tx: unknown) => {
            await enter(tx, `entry ${n}`);
            await parts.client.start('inner', n, { id: `inner-${n}`, transaction: tx });
          }),
        ),
      );
    });
    await parts.start();
    await parts.client.startAndWait('outer', null, { timeout: '30s' });
    const outputs = await Promise.all([1, 2, 3].map((n) => parts.client.result(`inner-${n}`, { timeout: '30s' })));
    expect(outputs).toEqual([1, 2, 3]);
    const rows = await backend.query<{ entry: string }>('SELECT entry FROM app_ledger ORDER BY entry');
    expect(rows.map(({ entry }) => entry)).toEqual(['entry 1', 'entry 2', 'entry 3']);
    await worker.stop();
    await parts.stop();
    await storage.close();
  });
});
