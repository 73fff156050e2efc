import type { WorkflowContext } from '../../../lib/engine/context.js';
import { gate } from '../../support/gate.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

const RUNS = 200;

describeHouses('a process that is killed', (house) => {
  it('has all its runs played on once its lease is over, whatever they were doing (N11, N8)', async () => {
    const hold = gate();
    const body = (works: boolean) => async (ctx: WorkflowContext, n: number) => {
      const a = await ctx.step('a', () => n);
      // Some wait for a worker, some work.
      if (n % 2) await ctx.remote('far', n);
      else await ctx.step('hold', () => (works ? undefined : hold.opened), { retry: 1 });
      return ctx.step('b', () => a);
    };
    const first = await house().boot({ workflows: { order: body(false) } });
    const second = await house().boot({ workflows: {} });
    const handles = await Promise.all(Array.from({ length: RUNS }, (_, n) => first.client.start('order', n)));
    await until('all are with the first', async () => {
      const found = await second.storage.catalog.find(handles.map(({ id }) => id));
      return found.every(({ status }) => status === 'running');
    });
    second.define('order', body(true));
    second.serve({ far: (n: number) => n });
    first.kill();
    await house().bury(first);
    const outputs = await Promise.all(handles.map(({ id }) => second.client.result(id, { timeout: '120s' })));
    expect(outputs).toEqual(handles.map((_, n) => n));
    hold.open();
  });
});
