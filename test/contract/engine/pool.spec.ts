import type { WorkflowContext } from '../../../lib/engine/context.js';
import { inAppTransaction, write } from '../../support/app-transactions.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { sqlStorage, workerOn } from '../../support/engine-storage.js';

describeDatabases('an app whose pool has one connection', (at) => {
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
    await parts.client.startAndWait('outer', null, { timeout: '120s' });
    const outputs = await Promise.all([1, 2, 3].map((n) => parts.client.result(`inner-${n}`, { timeout: '120s' })));
    expect(outputs).toEqual([1, 2, 3]);
    const rows = await backend.query<{ entry: string }>('SELECT entry FROM app_ledger ORDER BY entry');
    expect(rows.map(({ entry }) => entry)).toEqual(['entry 1', 'entry 2', 'entry 3']);
    await worker.stop();
    await parts.stop();
    await storage.close();
  });

  it('is not waited for by a signal either, be its run there, younger than the transaction, or nowhere', async () => {
    const storage = await sqlStorage(backend);
    const elsewhere = await sqlStorage({ orm: backend.orm, handle: await backend.another() });
    const [{ client }, other] = [engineParts(storage), engineParts(elsewhere)];
    await other.client.start('order', null, { id: 'there' });
    await inAppTransaction(backend.orm, backend.handle, async ({ handle: transaction, query }) => {
      // On MySQL and MariaDB this is what the transaction sees from now on.
      await query('SELECT entry FROM app_ledger');
      await other.client.start('order', null, { id: 'younger' });
      for (const workflowId of ['there', 'younger'])
        expect(await client.signal('told', 1, { workflowId, transaction })).toEqual({ created: true });
      const nowhere = client.signal('told', 1, { workflowId: 'nowhere', transaction });
      await expect(nowhere).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    });
    const rows = await backend.query<{ target: string }>('SELECT target FROM durable_signals ORDER BY target');
    expect(rows.map(({ target }) => target)).toEqual(['there', 'younger']);
    await storage.close();
    await elsewhere.close();
  });
});
