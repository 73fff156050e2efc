import { NonRetryableStepError, Workflow, type WorkflowContext } from 'nest-durable';
import { body, rowBody, type Saw } from '../app/body.js';
import { type Kind, outputsOf, PATIENT, type Story, undone } from './kind.js';
import { rowsAsRecorded } from './transactions.js';

@Workflow('chaos.sagas', { retry: PATIENT })
class Sagas {
  async run(ctx: WorkflowContext, { pauseMs }: { pauseMs: number }): Promise<void> {
    const saw: Saw = {};
    saw['local'] = await ctx.step('local', (step) => body(step, 'local', {}), {
      compensate: (exec, step) => body(step, `undo ${exec}`, {}),
    });
    saw['remote'] = await ctx.remote<string>(
      'chaos.work',
      { label: 'remote', saw: { ...saw } },
      { compensate: 'chaos.undo' },
    );
    const work = (tx: unknown) => rowBody(tx, ctx.workflowId, 'row', { ...saw });
    saw['row'] = await ctx.transaction('row', work, {
      compensate: async (tx, exec) => void (await rowBody(tx, ctx.workflowId, `undo ${exec}`, {})),
    });
    await ctx.sleep('a moment', pauseMs);
    throw new NonRetryableStepError('the saga fails', 'SAGA');
  }
}

/** Completed steps are undone, the last first. */
export function undoneInReverse(story: Story): string[] {
  const expected = outputsOf(story)
    .map((exec) => `undo ${String(exec)}`)
    .reverse();
  const found = undone(story);
  if (expected.join() === found.join()) return [];
  return [`should have undone ${expected.join(', ')}, and did ${found.join(', ') || 'nothing'}`];
}

/** A run that fails and undoes a local step, a remote one and a transaction. */
export const sagas: Kind = {
  name: 'chaos.sagas',
  providers: [Sagas],
  plan: (random) => ({ input: { pauseMs: random.whole(1, 500) } }),
  judge: (story) => [
    ...(story.run?.status === 'failed' && story.run.error?.code === 'SAGA'
      ? []
      : [`should have failed with SAGA, and is ${story.run?.status} ${JSON.stringify(story.run?.error)}`]),
    ...undoneInReverse(story),
    ...rowsAsRecorded(story),
    ...(story.rows.filter(({ label }) => label.startsWith('undo ')).length === 1 ? [] : ['has not one row undone']),
  ],
};
