import type { WorkflowContext } from '../../../lib/engine/context.js';
import { gate } from '../../support/gate.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

const LEASE_MS = 2_000;
const RUNS = 200;

describeHouses('a process that is killed', (house) => {
  it('has all its runs played on within its lease and a beat, whatever they were doing (N11, N8)', async () => {
    const hold = gate();
    const began: number[] = [];
    const body = (works: boolean) => async (ctx: WorkflowContext, n: number) => {
      const a = await ctx.step('a', () => n);
      // Some wait for a worker, some work.
      if (n % 2) await ctx.remote('far', n);
      else await ctx.step('hold', () => (works ? void began.push(performance.now()) : hold.opened), { retry: 1 });
      return ctx.step('b', () => a);
    };
    const first = await house().boot({ nodeLeaseMs: LEASE_MS, workflows: { order: body(false) } });
    const second = await house().boot({ nodeLeaseMs: LEASE_MS, workflows: {} });
    const handles = await Promise.all(Array.from({ length: RUNS }, (_, n) => first.client.start('order', n)));
    await until('all are with the first', async () => {
      const found = await second.storage.catalog.find(handles.map(({ id }) => id));
      return found.every(({ status }) => status === 'running');
    });
    second.define('order', body(true));
    second.serve({ far: (n: number) => n });
    const killedAt = performance.now();
    first.kill();
    const outputs = await Promise.all(handles.map(({ id }) => second.client.result(id, { timeout: '60s' })));
    const ms = performance.now() - killedAt;
    process.stdout.write(
      `${RUNS} runs of a process that was killed [${house().backend?.name ?? 'in memory'}]: the first goes on after ` +
        `${(Math.min(...began) - killedAt).toFixed(0)} ms, all have ended after ${ms.toFixed(0)} ms\n`,
    );
    expect(outputs).toEqual(handles.map((_, n) => n));
    expect(Math.min(...began) - killedAt).toBeGreaterThan(0);
    // A third of a lease until somebody looks, or a lease more where the heir itself stood still meanwhile; the rest is
    // what 200 runs take, and other work on the machine.
    expect(ms).toBeLessThan(2 * LEASE_MS + (2 * LEASE_MS) / 3 + 30_000);
    hold.open();
  });
});
