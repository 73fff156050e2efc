import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

@Workflow('chaos.versions', { retry: PATIENT })
export class FirstVersion {
  async run(ctx: WorkflowContext): Promise<string> {
    await ctx.step('work', (step) => body(step, 'work', {}));
    await ctx.sleep('a moment', 300);
    await ctx.step('more', (step) => body(step, 'more', {}));
    return `version ${ctx.version}`;
  }
}

@Workflow('chaos.versions', { version: 2, retry: PATIENT })
export class SecondVersion {
  async run(ctx: WorkflowContext): Promise<string> {
    await ctx.sleep('a moment', 300);
    await ctx.step('other work', (step) => body(step, 'other work', {}));
    return `version ${ctx.version}`;
  }
}

/** Runs stay on the code that they began with, while processes of both builds are there. */
export const versions: Kind = {
  name: 'chaos.versions',
  providers: [FirstVersion],
  plan: () => ({ input: null }),
  judge: (story) => {
    const labels = [...new Set(story.bodies.map(({ label }) => label))].join();
    const expected = labels === 'other work' ? 'version 2' : 'version 1';
    return completed(story, expected);
  },
};
