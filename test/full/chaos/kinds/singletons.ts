import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT, type Story } from './kind.js';

@Workflow('chaos.singletons', { retry: PATIENT })
class Singletons {
  async run(ctx: WorkflowContext): Promise<string> {
    await ctx.sleep('a moment', 200);
    return ctx.step('work', (step) => body(step, 'work', {}));
  }
}

const keyOf = ({ plan }: Story): string => plan.options?.singleton?.key ?? '';

/** Two runs of one key that were there at the same time, by the database's clock. */
function overlaps(stories: readonly Story[]): string[] {
  const there = stories
    .filter(({ run }) => run !== undefined && run.finishedAt !== null)
    .sort((a, b) => a.run!.createdAt - b.run!.createdAt);
  return there.flatMap((later, i) =>
    there
      .slice(0, i)
      .filter((earlier) => keyOf(earlier) === keyOf(later) && earlier.run!.finishedAt! > later.run!.createdAt)
      .map(({ id }) => `${id} and ${later.id} were both there with the key ${keyOf(later)}`),
  );
}

/** At most one run of a key at a time; another start is answered the one that is there. */
export const singletons: Kind = {
  name: 'chaos.singletons',
  providers: [Singletons],
  plan: (random, id) => ({ input: { id }, options: { singleton: { key: `k${random.whole(0, 2)}` } } }),
  judge: (story) => {
    if (story.run) return completed(story);
    return story.answer === story.id ? ['was answered as begun, and is not there'] : [];
  },
  judgeAll: overlaps,
};
