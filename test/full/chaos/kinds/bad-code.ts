import { isDeepStrictEqual } from 'node:util';
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
  async run(ctx: WorkflowContext): Promise<void> {
    const fails = () => Promise.reject(new Error('x'.repeat(LARGE)));
    await ctx.step('large error', fails, { retry: false }).catch(() => undefined);
    await ctx.step('large output', () => 'x'.repeat(LARGE), { retry: false });
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

/** An error and an output that no server takes: the step fails, the run is blocked until it is cancelled, nobody else is. */
export const oversized: Kind = {
  share: 0,
  name: 'chaos.oversized',
  providers: [Oversized],
  plan: (_, id) => ({ input: null, deeds: [{ afterMs: 3_000, command: { do: 'cancel', run: id } }] }),
  judge: ({ run, steps }) => {
    const recorded = steps.map(({ name, status }) => `${name}: ${status}`);
    // As far as it had come.
    const expected = ['large error: failed', 'large output: exhausted'].slice(0, steps.length);
    if (run?.status === 'cancelled' && isDeepStrictEqual(recorded, expected)) return [];
    return [`should have been blocked and cancelled, and is ${run?.status} after ${recorded.join(', ')}`];
  },
};
