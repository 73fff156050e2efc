import { Workflow, type WorkflowContext } from 'nest-durable';
import { body, type Saw } from '../app/body.js';
import { completed, type Kind, outputsOf, PATIENT } from './kind.js';

interface Input {
  steps: number;
  /** The step that fails, and how often. */
  flaky: number;
  fails: number;
}

@Workflow('chaos.local', { retry: PATIENT })
class LocalSteps {
  async run(ctx: WorkflowContext, { steps, flaky, fails }: Input): Promise<string[]> {
    const saw: Saw = {};
    for (let n = 0; n < steps; n++) {
      const work = { fails: n === flaky ? fails : 0 };
      saw[`s${n}`] = await ctx.step(`s${n}`, (step) => body(step, `s${n}`, { ...saw }, work));
    }
    return Object.values(saw);
  }
}

/** Local steps one after the other, some of which fail at first. */
export const localSteps: Kind = {
  name: 'chaos.local',
  providers: [LocalSteps],
  plan: (random) => ({ input: { steps: random.whole(2, 6), flaky: random.whole(0, 5), fails: random.whole(0, 3) } }),
  judge: (story) => completed(story, outputsOf(story)),
};
