import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

interface Input {
  of: string;
}

@Workflow('chaos.debounced', { retry: PATIENT })
class Debounced {
  async run(ctx: WorkflowContext, { of }: Input): Promise<string> {
    await ctx.step('work', (step) => body(step, 'work', {}));
    return of;
  }
}

/** Several starts of one key that become one run: each of them is answered a run that is there. */
export const debounced: Kind = {
  name: 'chaos.debounced',
  providers: [Debounced],
  plan: (random, id) => ({
    input: { of: id },
    inputMoves: true,
    options: { debounce: { key: `d${random.whole(0, 1)}`, delay: 400, maxDelay: 1_200 } },
  }),
  judge: (story) => {
    if (story.run) return completed(story);
    return story.answer === story.id ? ['was answered as its own run, and is not there'] : [];
  },
  judgeAll: (stories) => {
    const there = new Set(stories.filter(({ run }) => run).map(({ id }) => id));
    return stories
      .filter(({ answer }) => answer !== undefined && !there.has(answer as string))
      .map(({ id, answer }) => `the start of ${id} was answered ${String(answer)}, which is not there`);
  },
};
