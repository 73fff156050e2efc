import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, outputsOf, PATIENT } from './kind.js';

interface Input {
  ms: number;
}

@Workflow('chaos.timers', { retry: PATIENT })
class Timers {
  async run(ctx: WorkflowContext, { ms }: Input): Promise<string[]> {
    const before = await ctx.step('before', (step) => body(step, 'before', {}));
    await ctx.sleep('sleep', ms);
    return [before, await ctx.step('after', (step) => body(step, 'after', { before }))];
  }
}

/**
 * Engines carry on the database's clock from its last reply, however long that was under way: with a slow network, or
 * while a process stands still, a part of a second.
 */
const TOLERANCE_MS = 750;

/** A timer that is never early, whatever the clocks of processes say. */
export const timers: Kind = {
  name: 'chaos.timers',
  providers: [Timers],
  plan: (random) => ({ input: { ms: random.whole(100, 4_000) } }),
  judge: (story) => {
    const { ms } = story.plan.input as Input;
    const begun = story.bodies.find(({ label }) => label === 'after');
    const since = story.ended.get(begun?.saw['before'] ?? '');
    const slept = begun === undefined || since === undefined ? undefined : begun.at - since;
    const isEarly = slept !== undefined && slept < ms - TOLERANCE_MS;
    return [
      ...completed(story, outputsOf(story)),
      ...(isEarly ? [`slept ${slept.toFixed(0)} ms in place of ${ms}`] : []),
    ];
  },
};
