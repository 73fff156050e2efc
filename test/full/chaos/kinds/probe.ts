import { Workflow, type WorkflowContext } from 'nest-durable';
import { rowBody } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

@Workflow('chaos.probe', { retry: PATIENT })
class Probe {
  async run(ctx: WorkflowContext, { python }: { python: boolean }): Promise<void> {
    await ctx.remote('chaos.work', { label: 'node', saw: {} });
    if (python) await ctx.remote('chaos.python', { label: 'python', saw: {} });
    await ctx.transaction('row', (tx: unknown) => rowBody(tx, ctx.workflowId, 'row', {}));
  }
}

/** Begun after each fault: once it has completed, all is well again. */
export const probe: Kind = {
  name: 'chaos.probe',
  providers: [Probe],
  share: 0,
  plan: () => ({ input: { python: true } }),
  judge: (story) => completed(story),
};
