import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT, type Story } from './kind.js';

const LIMIT = 2;

interface Input {
  key: string;
}

@Workflow('chaos.limited', { retry: PATIENT, concurrency: { limit: LIMIT, key: ({ key }: Input) => key } })
class Limited {
  async run(ctx: WorkflowContext): Promise<string[]> {
    const first = await ctx.step('first', (step) => body(step, 'first', {}));
    return [first, await ctx.remote<string>('chaos.work', { label: 'last', saw: { first } })];
  }
}

interface Stay {
  id: string;
  key: string;
  from: number;
  to: number;
}

/** From when its first body began until the end of the last one that is recorded: it held its place all the while. */
function stayOf({ id, plan, bodies, ended, run }: Story): Stay[] {
  const last = (run?.output as string[] | null | undefined)?.[1];
  const [from, to] = [bodies[0]?.at, ended.get(last ?? '')];
  return from === undefined || to === undefined ? [] : [{ id, key: (plan.input as Input).key, from, to }];
}

function tooMany(stories: readonly Story[]): string[] {
  const stays = stories.flatMap(stayOf);
  return stays.flatMap((stay) => {
    const beside = stays.filter(({ key, from, to }) => key === stay.key && from <= stay.from && stay.from < to);
    return beside.length > LIMIT
      ? [
          `${beside.length} runs of ${stay.key} at once, where ${LIMIT} may be: ${beside.map(({ id }) => id).join(', ')}`,
        ]
      : [];
  });
}

/** So many runs of a key at once, and no more. */
export const limited: Kind = {
  name: 'chaos.limited',
  providers: [Limited],
  plan: (random) => ({ input: { key: `key ${random.whole(0, 1)}` } }),
  judge: (story) => completed(story),
  judgeAll: tooMany,
};
