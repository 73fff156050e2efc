import { Workflow, type WorkflowContext } from 'nest-durable';
import { body } from '../app/body.js';
import { completed, type Kind, PATIENT, type Story } from './kind.js';

interface Input {
  calls: number;
  fails: number;
}

@Workflow('chaos.calls', { retry: PATIENT })
class OutsideCalls {
  async run(ctx: WorkflowContext, { calls, fails }: Input): Promise<void> {
    await ctx.effects({
      operation: 'chaos.operation',
      subject: ctx.workflowId,
      calls: Array.from({ length: calls }, (_, n) => ({
        handler: 'chaos.call',
        ref: { ref: `${n}`, fails: n === 0 ? fails : 0 },
      })),
    });
    await ctx.step('after', (step) => body(step, 'after', {}));
  }
}

function callsMade({ plan, calls, bodies, completions }: Story): string[] {
  const after = bodies[0]?.at ?? Number.POSITIVE_INFINITY;
  const made = new Set(calls.filter(({ failed, at }) => !failed && at < after).map(({ ref }) => ref));
  const keys = new Set(calls.map(({ ref, key }) => `${ref} ${key}`));
  const { calls: expected } = plan.input as Input;
  return [
    ...(made.size === expected ? [] : [`went on when ${made.size} of ${expected} calls had been made`]),
    ...(keys.size === expected ? [] : [`made ${expected} calls under ${keys.size} idempotency keys`]),
    ...(completions === 1 ? [] : [`saw its operation complete ${completions} times`]),
  ];
}

/** Calls to the outside until they succeed; the run goes on once all have, and their operation completes once. */
export const outsideCalls: Kind = {
  name: 'chaos.calls',
  providers: [OutsideCalls],
  plan: (random) => ({ input: { calls: random.whole(1, 3), fails: random.whole(0, 2) } }),
  judge: (story) => [...completed(story), ...callsMade(story)],
};
