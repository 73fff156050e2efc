import { inAppTransaction } from '../../support/app-transactions.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { sqlStorage } from '../../support/engine-storage.js';
import { describeSqlHouses } from '../../support/processes.js';

describeSqlHouses('deleting in the app’s transaction', (house) => {
  it('happens with its commit, and not when it rolls back', async () => {
    const { client, storage } = await house().boot({
      workflows: {
        parent: async (ctx) => ctx.executeChild('child', 1),
        child: async (ctx, n) => ctx.step('a', () => n),
      },
    });
    const { orm } = house().backend!;
    await client.startAndWait('parent', null, { id: 'p' });
    const rolledBack = inAppTransaction(orm, storage.handle, async ({ handle: transaction }) => {
      expect(await client.delete('p', { transaction })).toBe(true);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect((await client.getStatus('p', { history: true })).history).toHaveLength(1);
    await inAppTransaction(orm, storage.handle, async ({ handle: transaction }) => {
      expect(await client.delete('p', { transaction })).toBe(true);
      // For everybody else it is there until then.
      expect((await client.getStatus('p')).status).toBe('completed');
      expect(await client.delete('p', { transaction })).toBe(false);
    });
    for (const id of ['p', 'p.0']) {
      expect(await storage.catalog.find([id])).toEqual([]);
      expect(await storage.catalog.steps(id)).toEqual([]);
    }
  });
});

describeDatabases('deleting in a transaction that has the only connection', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => void (backend = await at.open({ poolMax: 1 })));
  afterAll(() => backend.close());

  it('says what has not ended, or is not stuck, over that connection', async () => {
    const storage = await sqlStorage(backend);
    const { client } = engineParts(storage);
    await client.start('order', null, { id: 'open' });
    await inAppTransaction(backend.orm, backend.handle, async ({ handle: transaction }) => {
      await expect(client.delete('open', { transaction })).rejects.toMatchObject({ code: 'WORKFLOW_NOT_ENDED' });
      await expect(client.retry('open', { transaction })).rejects.toMatchObject({ code: 'WORKFLOW_NOT_RETRYABLE' });
      expect(await client.delete('nowhere', { transaction })).toBe(false);
    });
    expect((await storage.catalog.find(['open']))[0]?.status).toBe('pending');
    await storage.close();
  });
});
