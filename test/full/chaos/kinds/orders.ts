import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT } from './kind.js';

@Workflow('chaos.orders', { retry: PATIENT })
class Orders {
  run(ctx: WorkflowContext): Promise<string> {
    return ctx.step('work', (step) => body(step, 'work', {}));
  }
}

/** Runs begun in a transaction of the app's: they are there with its order, or neither is. */
export const orders: Kind = {
  name: 'chaos.orders',
  providers: [Orders],
  share: 2,
  plan: (random) => ({ input: null, order: { rollBack: random.chance(0.3) } }),
  judge: (story) => {
    const { plan, run, hasOrder } = story;
    if ((run !== undefined) !== hasOrder)
      return [`${run ? 'is there without its order' : 'is not there, and its order is'}`];
    if (plan.order?.rollBack) return run ? ['is there, though its transaction was rolled back'] : [];
    return completed(story);
  },
};
