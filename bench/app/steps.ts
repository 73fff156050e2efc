import 'reflect-metadata';
import { RemoteStep, Worker, Workflow, type WorkflowContext, type WorkflowRunner } from '../../lib/index.js';
import { preciseNow } from '../serve.js';

/** When the first step of a run began in this process, by the run's id. */
export const begun = new Map<string, number>();
/** The milliseconds of each remote step of the last sequence. */
export const stepTimes: number[] = [];

@Worker()
export class BenchSteps {
  @RemoteStep('bench.add')
  async add(n: number): Promise<number> {
    return n + 1;
  }
}

@Worker()
export class FirstSteps {
  @RemoteStep('bench.first')
  async first(runId: string): Promise<void> {
    begun.set(runId, preciseNow());
  }
}

export interface Steps {
  steps: number;
}

@Workflow('bench.remote')
export class RemoteWorkflow implements WorkflowRunner<Steps, number> {
  async run(ctx: WorkflowContext, { steps }: Steps): Promise<number> {
    let n = 0;
    for (let i = 0; i < steps; i++) n = await ctx.remote(BenchSteps).add(n);
    return n;
  }
}

@Workflow('bench.local')
export class LocalWorkflow implements WorkflowRunner<Steps, number> {
  async run(ctx: WorkflowContext, { steps }: Steps): Promise<number> {
    let n = 0;
    for (let i = 0; i < steps; i++) n = await ctx.step(`add ${i}`, () => n + 1);
    return n;
  }
}

export interface Sequence extends Steps {
  /** Local ones. Default: remote ones. */
  local?: boolean;
}

/** One step after the other, each timed. */
@Workflow('bench.sequence')
export class SequenceWorkflow implements WorkflowRunner<Sequence, void> {
  async run(ctx: WorkflowContext, { steps, local = false }: Sequence): Promise<void> {
    stepTimes.length = 0;
    for (let i = 0; i < steps; i++) {
      const began = performance.now();
      if (local) await ctx.step('add', () => i + 1);
      else await ctx.remote(BenchSteps).add(i);
      stepTimes.push(performance.now() - began);
    }
  }
}

@Workflow('bench.first-local')
export class FirstLocalWorkflow implements WorkflowRunner<null, void> {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.step('first', () => void begun.set(ctx.workflowId, preciseNow()));
  }
}

@Workflow('bench.first-remote')
export class FirstRemoteWorkflow implements WorkflowRunner<null, void> {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.remote(FirstSteps).first(ctx.workflowId);
  }
}

export const WORKFLOWS = [
  RemoteWorkflow,
  LocalWorkflow,
  SequenceWorkflow,
  FirstLocalWorkflow,
  FirstRemoteWorkflow,
] as const;

/** As many remote steps as an app has, none of which is ever asked for. */
export function idleSteps(count: number): new () => object {
  const IdleSteps = class {
    readonly count = count;
  };
  for (let i = 0; i < count; i++) {
    const key = `step${i}`;
    const descriptor = { value: async () => undefined, writable: true, configurable: true, enumerable: false };
    Object.defineProperty(IdleSteps.prototype, key, descriptor);
    RemoteStep(`idle.step-${i}`)(IdleSteps.prototype, key, descriptor);
  }
  Worker()(IdleSteps);
  return IdleSteps;
}
