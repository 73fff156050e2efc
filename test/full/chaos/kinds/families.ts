import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

interface Input {
  children: number;
  /** Which of them fails. */
  failing: number;
}

@Workflow('chaos.child', { retry: PATIENT })
class Child {
  async run(ctx: WorkflowContext, { n, fails }: { n: number; fails: boolean }): Promise<number> {
    await ctx.step('work', (step) => body(step, 'work', {}));
    if (fails) ctx.fail(`child ${n} fails`);
    return n;
  }
}

@Workflow('chaos.families')
class Families {
  async run(ctx: WorkflowContext, { children, failing }: Input): Promise<unknown[]> {
    const one = await ctx.startChild(Child, { n: -1, fails: false });
    const inputs = Array.from({ length: children }, (_, n) => ({ n, fails: n === failing }));
    const all = await ctx.all(Child, inputs, { mode: 'settled' });
    return [await one.result(), ...all.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))];
  }
}

/** A child beside a fan-out of children, one of which may fail. */
export const families: Kind = {
  name: 'chaos.families',
  providers: [Families, Child],
  plan: (random) => ({ input: { children: random.whole(1, 6), failing: random.whole(0, 8) } }),
  judge: (story) => {
    const { children, failing } = story.plan.input as Input;
    return completed(story, [-1, ...Array.from({ length: children }, (_, n) => (n === failing ? 'failed' : n))]);
  },
};
