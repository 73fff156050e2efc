import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { type Kind, PATIENT, type Story, undone } from './kind.js';
import { undoneInReverse } from './sagas.js';

@Workflow('chaos.ended', { retry: PATIENT })
class EndedEarly {
  async run(ctx: WorkflowContext): Promise<number> {
    for (let n = 0; n < 4; n++) {
      await ctx.step(`s${n}`, (step) => body(step, `s${n}`, {}), {
        compensate: (exec, step) => body(step, `undo ${exec}`, {}),
      });
      await ctx.remote('chaos.work', { label: `r${n}`, saw: {} });
      await ctx.sleep(`a moment ${n}`, 150);
    }
    return 4;
  }
}

/** What was compensated is what has a compensation: the local steps. */
const ofLocalSteps = (story: Story): Story => ({ ...story, steps: story.steps.filter(({ kind }) => kind === 'step') });

function judge(story: Story): string[] {
  const { run, answers, plan } = story;
  const asked = plan.deeds?.[0]?.command.do;
  if (run?.status === 'completed') {
    if (undone(story).length > 0) return ['completed, and was undone all the same'];
    return answers[0] === true ? [`completed, though its ${asked} was answered with true`] : [];
  }
  if (run?.status === 'cancelled') return asked === 'cancel' ? undoneInReverse(ofLocalSteps(story)) : [];
  return [`should have completed or been ended by ${asked}, and is ${run?.status} ${JSON.stringify(run?.error)}`];
}

/** Runs that are cancelled or terminated somewhere on their way. */
export const endedEarly: Kind = {
  name: 'chaos.ended',
  providers: [EndedEarly],
  plan: (random, id) => ({
    input: null,
    deeds: [
      {
        afterMs: random.whole(0, 1_500),
        command: { do: random.chance(0.7) ? 'cancel' : 'terminate', run: id },
      },
    ],
  }),
  judge,
};
