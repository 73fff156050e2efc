import { RemoteStep, type StepContext, Worker, Workflow, type WorkflowContext } from 'nest-durable';
import { KILLED_BY_STEP } from '../exit-codes.js';
import { LEASE_MS } from '../lease.js';
import { completed, type Kind, PATIENT } from './kind.js';

const DEATHS = 2;
/** More than any of the servers takes at once. */
const LARGE = 20 * 1024 * 1024;

@Worker()
class BadSteps {
  @RemoteStep('chaos.die', { retry: PATIENT })
  die(_: null, { attempt }: StepContext): number {
    if (attempt <= DEATHS) process.exit(KILLED_BY_STEP);
    return attempt;
  }

  @RemoteStep('chaos.block', { retry: PATIENT })
  block(_: null, { attempt }: StepContext): string {
    // Nothing else of this process moves, and no time of the processor is spent.
    if (attempt === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEASE_MS * 1.3);
    return 'blocked';
  }
}

@Workflow('chaos.deadly')
class Deadly {
  run(ctx: WorkflowContext): Promise<number> {
    return ctx.remote<number>('chaos.die', null);
  }
}

@Workflow('chaos.blocking')
class Blocking {
  run(ctx: WorkflowContext): Promise<string> {
    return ctx.remote<string>('chaos.block', null);
  }
}

@Workflow('chaos.oversized')
class Oversized {
  async run(ctx: WorkflowContext): Promise<string[]> {
    const fails = () => Promise.reject(new Error('x'.repeat(LARGE)));
    const error = await ctx.step('large error', fails, { retry: false }).catch((caught: Error) => caught);
    const output = await ctx
      .step('large output', () => 'x'.repeat(LARGE), { retry: false })
      .catch((caught: Error) => caught);
    return [error, output].map((each) => (each instanceof Error ? 'refused' : 'taken'));
  }
}

/** Only faults begin runs of these. */
const NEVER = { share: 0, plan: () => ({ input: null }) };

/** A step that ends its process, twice, and then answers. */
export const deadly: Kind = {
  ...NEVER,
  name: 'chaos.deadly',
  providers: [Deadly, BadSteps],
  judge: (story) => completed(story),
};

/** A step that stops its process for longer than its lease, once. */
export const blocking: Kind = {
  ...NEVER,
  name: 'chaos.blocking',
  providers: [Blocking],
  judge: (story) => completed(story),
};

/** An error and an output that no server takes: they fail, and nothing else does. */
export const oversized: Kind = {
  ...NEVER,
  name: 'chaos.oversized',
  providers: [Oversized],
  judge: (story) => completed(story, ['refused', 'refused']),
};
