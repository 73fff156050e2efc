import { Workflow, type WorkflowContext } from 'nest-durable';
import { body, rowBody } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

interface Input {
  life: number;
  lives: number;
  execs: string[];
}

@Workflow('chaos.lives', { retry: PATIENT })
class Lives {
  async run(ctx: WorkflowContext<Input>, { life, lives, execs }: Input): Promise<string[]> {
    const saw = Object.fromEntries(execs.map((exec, n) => [`row ${n}`, exec]));
    await ctx.step('local', (step) => body(step, `local ${life}`, saw));
    const exec = await ctx.transaction('row', (tx) => rowBody(tx, ctx.workflowId, `row ${life}`, saw));
    const now = [...execs, exec];
    if (life + 1 < lives) await ctx.continueAsNew({ life: life + 1, lives, execs: now });
    return now;
  }
}

/** `continueAsNew`: every life is lived once, and hands on what it did. */
export const lives: Kind = {
  name: 'chaos.lives',
  providers: [Lives],
  plan: (random) => ({ input: { life: 0, lives: random.whole(2, 5), execs: [] }, inputMoves: true }),
  judge: (story) => {
    const inOrder = [...story.rows].sort((a, b) => a.position - b.position);
    const expected = Array.from({ length: (story.plan.input as Input).lives }, (_, life) => `row ${life}`);
    const found = inOrder.map(({ label }) => label);
    return [
      ...completed(
        story,
        inOrder.map(({ exec }) => exec),
      ),
      ...(found.join() === expected.join() ? [] : [`left the rows ${found.join(', ')}: not one for each life`]),
    ];
  },
};
