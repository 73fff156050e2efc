import type { WorkflowContext } from '../../../lib/engine/context.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import { type Cut, startCommitCutter } from '../../support/commit-cutter.js';
import { engineParts } from '../../support/engine-parts.js';
import { type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { describeSqlHouses } from '../../support/processes.js';
import { stepOutbox } from '../../support/step-events.js';
import { until } from '../../support/until.js';

const event = (name: string, data: unknown, channel: string) => ({ channel, name, data });

describeSqlHouses('ctx.publish beside the app’s own transactions', (house) => {
  it('loses nothing, keeps the order of each, and nobody fails for the other', async () => {
    const backend = house().backend!;
    const outbox = await stepOutbox(backend);
    const stepEvents = (storage: OpenStorage) => outbox.of(storage);
    const workflows = {
      order: async (ctx: WorkflowContext, n: number) => {
        for (let i = 0; i < 4; i++) {
          await ctx.publish([0, 1, 2].map((channel) => event('run', [n, i], `channel-${(n + channel) % 3}`)));
          await ctx.step('between', () => i);
        }
      },
    };
    const processes = [await house().boot({ workflows, stepEvents }), await house().boot({ workflows, stepEvents })];
    const errors: unknown[] = [];
    for (const { telemetry } of processes) telemetry.on('loop.error', ({ error }) => errors.push(error));
    const runs = Array.from({ length: 60 }, (_, n) => n);
    const handles = runs.map((n) => processes[n % 2]!.client.start('order', n, { id: `r${n}` }));
    const app = outbox.app(processes[0]!.storage);
    const own = Array.from({ length: 30 }, (_, n) =>
      inAppTransaction(backend.orm, processes[0]!.storage.handle, async ({ handle }) => {
        const transaction = handle;
        await app.publish(event('app', n, `channel-${n % 3}`), { transaction });
        await processes[0]!.client.start('order', 1_000 + n, { transaction });
        await app.publish(event('app', n, `channel-${(n + 1) % 3}`), { transaction });
      }),
    );
    await Promise.all([...own, ...(await Promise.all(handles)).map((handle) => handle.result({ timeout: '120s' }))]);
    const all = 12 * (60 + 30) + 2 * 30;
    await until('all are published', async () => (await outbox.published()).length === all);
    const events = (await outbox.published()).filter(({ name }) => name === 'run');
    for (const n of runs)
      for (const channel of ['channel-0', 'channel-1', 'channel-2']) {
        const [of, order] = [events.filter((one) => one.channel === channel), [0, 1, 2, 3].map((i) => [n, i])];
        expect(of.map(({ data }) => data as number[]).filter(([run]) => run === n)).toEqual(order);
      }
    expect(errors).toEqual([]);
  });
});

describeSqlHouses('a connection that is lost while ctx.publish commits', (house) => {
  it.each<Cut>(['before commit', 'after commit'])('%s leaves one event', async (cut) => {
    const backend = house().backend!;
    const outbox = await stepOutbox(backend);
    const cutter = await startCommitCutter(backend, 'durable_outbox');
    const through = { ...backend, host: '127.0.0.1', port: cutter.port };
    const opened = await (backend.orm === 'typeorm' ? openTypeOrm : openMikroOrm)(through, {});
    const storage = await sqlStorage({ orm: backend.orm, handle: opened.handle });
    const parts = engineParts(storage, { events: outbox.of(storage) });
    parts.define('order', async (ctx) => {
      cutter.arm(cut);
      const published = await ctx.publish({ channel: 'c', name: 'e' });
      return [...published, await ctx.step('b', () => 'after')];
    });
    await parts.start();
    const output = await parts.client.startAndWait('order', null, { id: 'r1', timeout: '120s' });
    expect(cutter.cuts).toBe(1);
    const published = await outbox.published();
    expect(published).toMatchObject([{ channel: 'c', name: 'e' }]);
    expect(output).toEqual([published[0]!.mutationId, 'after']);
    await parts.stop();
    await storage.close();
    await opened.close();
    await cutter.close();
  });
});
