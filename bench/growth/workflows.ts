import { randomBytes } from 'node:crypto';
import {
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
  type WorkflowRunner,
  WorkflowSignal,
} from '../../lib/index.js';
import { BenchSteps, type Sequence, stepTimes } from '../app/steps.js';
import { preciseNow } from '../serve.js';

export const go = new WorkflowSignal<null>('bench.go');

/** When runs of {@link ThenSignalWorkflow} had gone on behind the first signal, by their ids. */
export const wentOn = new Map<string, number>();

@Worker()
export class EchoSteps {
  @RemoteStep('bench.echo')
  async echo(text: string): Promise<string> {
    return text;
  }
}

/** Waits twice with a history of so many steps. */
@Workflow('bench.then-signal')
export class ThenSignalWorkflow implements WorkflowRunner<Sequence, void> {
  async run(ctx: WorkflowContext, { steps, local = false }: Sequence): Promise<void> {
    for (let i = 0; i < steps; i++) {
      if (local) await ctx.step('add', () => i + 1);
      else await ctx.remote(BenchSteps).add(i);
    }
    await ctx.waitForSignal('go', go);
    wentOn.set(ctx.workflowId, preciseNow());
    await ctx.waitForSignal('end', go);
  }
}

@Workflow('bench.child')
export class ChildWorkflow implements WorkflowRunner<number, number> {
  run(ctx: WorkflowContext, n: number): Promise<number> {
    return ctx.step('add', () => n + 1);
  }
}

export interface FanOut {
  width: number;
  what: 'children' | 'steps';
}

@Workflow('bench.fan-out')
export class FanOutWorkflow implements WorkflowRunner<FanOut, number> {
  async run(ctx: WorkflowContext, { width, what }: FanOut): Promise<number> {
    const inputs = Array.from({ length: width }, (_, i) => i);
    const outputs =
      what === 'children'
        ? await ctx.all(ChildWorkflow, inputs)
        : await Promise.all(inputs.map((n) => ctx.remote(BenchSteps).add(n)));
    return outputs.length;
  }
}

/** What no database can compress: made when it is first asked for, and always the same in a process. */
let made: string | undefined;
const noise = (length: number): string => (made ??= randomBytes(750_000).toString('base64')).slice(0, length);

export interface Echo {
  steps: number;
  bytes: number;
  local: boolean;
}

@Workflow('bench.echo')
export class EchoWorkflow implements WorkflowRunner<Echo, void> {
  async run(ctx: WorkflowContext, { steps, bytes, local }: Echo): Promise<void> {
    const text = noise(bytes);
    stepTimes.length = 0;
    for (let i = 0; i < steps; i++) {
      const began = performance.now();
      if (local) await ctx.step('echo', () => text);
      else await ctx.remote(EchoSteps).echo(text);
      stepTimes.push(performance.now() - began);
    }
  }
}

/** In the database alone until then. */
@Workflow('bench.sleeper')
export class SleeperWorkflow implements WorkflowRunner<null, void> {
  async run(ctx: WorkflowContext): Promise<void> {
    await ctx.sleep('a year', '365d');
  }
}

export const GROWTH_WORKFLOWS = [
  ThenSignalWorkflow,
  ChildWorkflow,
  FanOutWorkflow,
  EchoWorkflow,
  SleeperWorkflow,
] as const;
