import { Workflow, type WorkflowContext } from 'nest-durable';
import type { Saw } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

interface Input {
  fails: number;
}

@Workflow('chaos.remote', { retry: PATIENT })
class RemoteSteps {
  async run(ctx: WorkflowContext, { fails }: Input): Promise<Saw> {
    const saw: Saw = {};
    const ask = (name: string, label: string, times = 0) =>
      ctx.remote<string>(name, { label, saw: { ...saw }, fails: times });
    saw['first'] = await ask('chaos.work', 'first', fails);
    saw['python'] = await ask('chaos.python', 'python');
    const [left, right] = await Promise.all([ask('chaos.work', 'left'), ask('chaos.python', 'right', fails)]);
    return { ...saw, left, right };
  }
}

/** Remote steps of workers in Node and in Python, one after the other and side by side. */
export const remoteSteps: Kind = {
  name: 'chaos.remote',
  providers: [RemoteSteps],
  share: 2,
  plan: (random) => ({ input: { fails: random.whole(0, 2) } }),
  judge: (story) => {
    const [first, python, left, right] = ['first', 'python', 'left', 'right'].map(
      (label) => story.steps.filter(({ kind }) => kind === 'remote')[POSITIONS.indexOf(label)]?.output,
    );
    return completed(story, { first, python, left, right });
  },
};

const POSITIONS = ['first', 'python', 'left', 'right'];
