import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

@Workflow('chaos.answered', { retry: PATIENT })
class Answered {
  async run(ctx: WorkflowContext): Promise<string[]> {
    const answer = await ctx.remote<string>('chaos.nobody', { of: ctx.workflowId });
    return [answer, await ctx.step('after', (step) => body(step, 'after', { answer }))];
  }
}

/** A remote step that no worker serves: its answer comes from outside, once. */
export const answered: Kind = {
  name: 'chaos.answered',
  providers: [Answered],
  plan: (random, id) => ({
    input: null,
    deeds: [{ afterMs: random.whole(0, 500), command: { do: 'answer', step: `${id}:0`, output: `answer of ${id}` } }],
  }),
  judge: (story) => {
    const [first] = (story.run?.output ?? []) as string[];
    return [
      ...completed(story),
      ...(first === `answer of ${story.id}` ? [] : [`was answered ${first} in place of answer of ${story.id}`]),
    ];
  },
};
