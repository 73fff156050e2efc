import { Workflow, type WorkflowContext } from 'nest-durable';
import { completed, type Kind, PATIENT } from './kind.js';

interface Input {
  value: string;
}

const VALUES = [
  'a\u0000b',
  '\uD83D alone, and alone \uDE00',
  'ünö 😀 \u202E right to left',
  `' OR 1=1; -- \\ " \` $1 ? :x {0}`,
  '\r\n\t\u0001\u001F',
  'x'.repeat(100_000),
  '',
];

@Workflow('chaos.odd', { retry: PATIENT })
class OddValues {
  async run(ctx: WorkflowContext, { value }: Input): Promise<unknown[]> {
    const local = await ctx.step('local', () => value);
    const remote = await ctx.remote<string>('chaos.echo', local);
    const failed = await ctx
      .step('fails', () => Promise.reject(new Error(`no: ${value}`)), { retry: false })
      .catch((error: Error) => error.message.startsWith('no: '));
    return [local, remote, failed];
  }
}

/** Payloads and errors that are hard to store: they come back as they were. */
export const oddValues: Kind = {
  name: 'chaos.odd',
  providers: [OddValues],
  share: 0.5,
  plan: (random) => ({ input: { value: random.pick(VALUES) } }),
  judge: (story) => {
    const { value } = story.plan.input as Input;
    return completed(story, [value, value, true]);
  },
};
