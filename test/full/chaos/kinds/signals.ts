import { Workflow, type WorkflowContext, WorkflowSignal } from 'nest-durable';
import type { Command } from '../app/commands.js';
import { completed, type Kind } from './kind.js';

const early = new WorkflowSignal<string>('chaos.early');
const next = new WorkflowSignal<number>('chaos.next');

interface Input {
  key: string;
  count: number;
}

@Workflow('chaos.signals')
class Signals {
  async run(ctx: WorkflowContext, { key, count }: Input): Promise<unknown[]> {
    const heard: unknown[] = [await ctx.waitForSignal('early', early, { key })];
    for (let n = 0; n < count; n++) heard.push(await ctx.waitForSignal(`next ${n}`, next));
    return heard;
  }
}

const signal = (name: string, payload: unknown, to: { key?: string; workflowId?: string }, id: string): Command => ({
  do: 'signal',
  name,
  payload,
  to,
  id,
});

/** A signal to a key that comes before its run, and several to the run that come in their order, each once. */
export const signals: Kind = {
  name: 'chaos.signals',
  providers: [Signals],
  plan: (random, id) => {
    const count = random.whole(1, 4);
    const deeds = Array.from({ length: count }, (_, n) => ({
      afterMs: random.whole(0, 300),
      command: signal(next.name, n, { workflowId: id }, `${id}/${n}`),
    }));
    return {
      input: { key: `key of ${id}`, count },
      before: [signal(early.name, id, { key: `key of ${id}` }, `${id}/early`)],
      deeds,
    };
  },
  judge: (story) => {
    const { count } = story.plan.input as Input;
    return completed(story, [story.id, ...Array.from({ length: count }, (_, n) => n)]);
  },
};
