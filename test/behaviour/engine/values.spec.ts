import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { describeHouses } from '../../support/processes.js';
import { until } from '../../support/until.js';

const told = new WorkflowSignal<unknown>('told');

/** What the codec itself writes, and what it writes when it meets that. */
const LIKE_TAGS: readonly unknown[] = [
  { $durable: 'Date', value: '2026-01-02T03:04:05.678Z' },
  { $durable: 'undefined' },
  { $durable: 'object', value: { $durable: 'Map', value: [] } },
  { $durable: 'BigInt', value: '1', more: true },
  { $durable: new Date(0), deep: [new Map([['k', { $durable: 'Set', value: [1] }]])] },
];

describeHouses('values that look like those of the codec', (house) => {
  it('are the user’s everywhere, and the same for the next owner of the run (E11)', async () => {
    const seen: unknown[][] = [];
    const body = async (ctx: WorkflowContext, input: unknown) => {
      const local = await ctx.step('local', () => input);
      const remote = await ctx.remote<unknown>('echo', local);
      const child = await ctx.executeChild('child', remote);
      const signalled = await ctx.waitForSignal('told', told);
      seen.push([input, local, remote, child, signalled]);
      await ctx.waitForSignal('go', told);
      return { input, local, remote, child, signalled };
    };
    const boot = () =>
      house().boot({
        workflows: { order: body, child: async (_, input: unknown) => input },
        handlers: { echo: (input: unknown) => input },
      });
    const first = await boot();
    const { id } = await first.client.start('order', LIKE_TAGS);
    await first.client.signal(told, LIKE_TAGS, { workflowId: id });
    await until('all is there', () => seen.length === 1);
    first.kill();
    await house().bury(first);
    const second = await boot();
    await until('all was read back', () => seen.length === 2);
    await second.client.signal(told, 'go', { workflowId: id });
    const all = { input: LIKE_TAGS, local: LIKE_TAGS, remote: LIKE_TAGS, child: LIKE_TAGS, signalled: LIKE_TAGS };
    expect(await second.client.result(id)).toStrictEqual(all);
    for (const values of seen) expect(values).toStrictEqual(Object.values(all));
    const { history, input } = await second.client.getStatus(id, { history: true });
    expect(input).toStrictEqual(LIKE_TAGS);
    expect(history!.find(({ name }) => name === 'local')!.output).toStrictEqual(LIKE_TAGS);
  });
});
