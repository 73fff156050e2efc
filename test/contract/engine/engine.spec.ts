import type { WorkflowContext } from '../../../lib/engine/context.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { sqlStorage, workerOn } from '../../support/engine-storage.js';

describeDatabases('an engine on', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => {
    backend = await at.open();
  });
  afterAll(() => backend.close());

  it('plays local, remote, sleeping and transactional steps to the end', async () => {
    const storage = await sqlStorage(backend);
    const parts = engineParts(storage);
    const worker = workerOn(storage, { square: (n: number) => n * n });
    parts.define('order', async (ctx: WorkflowContext, input: { n: number }) => {
      const double = await ctx.step('double', () => input.n * 2);
      const squares = await Promise.all([1, 2, 3].map((n) => ctx.remote<number>('square', n)));
      await ctx.sleep('short', 20);
      const inTransaction = await ctx.transaction('tx', () => new Date(5));
      return { double, squares, inTransaction, now: ctx.now() };
    });
    await parts.start();
    const handle = await parts.client.start('order', { n: 21 }, { id: 'r1' });
    expect(await handle.result()).toEqual({
      double: 42,
      squares: [1, 4, 9],
      inTransaction: new Date(5),
      now: expect.any(Date) as Date,
    });
    const status = await parts.client.getStatus('r1', { history: true });
    expect(status.history!.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'step completed',
      'remote completed',
      'remote completed',
      'remote completed',
      'sleep completed',
      'transaction completed',
      'marker completed',
    ]);
    expect((await parts.client.start('order', { n: 21 }, { id: 'r1' })).created).toBe(false);
    await expect(parts.client.start('order', { n: 22 }, { id: 'r1' })).rejects.toMatchObject({
      code: 'WORKFLOW_ID_CONFLICT',
    });
    await worker.stop();
    await parts.stop();
    await storage.close();
  });
});
