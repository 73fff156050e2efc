import type { WorkflowDefinition } from '../engine/model/workflow-registry.js';
import type { WorkflowContext } from '../engine/model/workflow-context.js';
import type { LocalStepContext } from '../engine/model/step-options.js';
import type { ServedStep } from '../explorers/workflow.explorer.js';
import type { StepContext } from '../protocol/step-context.js';

/** One execution of a step: an attempt, not a replay. */
export interface StepCall {
  workflowId: string;
  /** `<workflowId>:<seq>`; undefined for a transaction. */
  stepId: string | undefined;
  attempt: number | undefined;
  /** The input of a remote step's handler, or a transaction's handle. */
  input: unknown;
  /** Set once the call has ended. */
  output?: unknown;
  error?: unknown;
}

/** Records the calls of a step, and may replace it. */
export interface StepSpy {
  /** In the order in which they started. */
  readonly calls: readonly StepCall[];
  /** Resolves with the n-th call once it has ended. Default: the first. */
  called(n?: number): Promise<StepCall>;
  /** Runs `work` instead of the step from now on; undefined: the step itself. */
  replace(work: ((input: never, step: never) => unknown) | undefined): void;
}

class Spy implements StepSpy {
  readonly calls: StepCall[] = [];
  private ended = 0;
  private readonly waiting = new Set<() => void>();
  private work: ((input: never, step: never) => unknown) | undefined;

  async called(n = 1): Promise<StepCall> {
    while (this.ended < n) await new Promise<void>((resolve) => this.waiting.add(resolve));
    return this.calls[n - 1]!;
  }

  replace(work: ((input: never, step: never) => unknown) | undefined): void {
    this.work = work;
  }

  async run(call: StepCall, step: unknown, original: () => unknown): Promise<unknown> {
    this.calls.push(call);
    try {
      call.output = await (this.work ? this.work(call.input as never, step as never) : original());
      return call.output;
    } catch (error) {
      call.error = error;
      throw error;
    } finally {
      this.ended++;
      for (const resolve of [...this.waiting]) resolve();
      this.waiting.clear();
    }
  }
}

/** Called before every execution of a step, with or without a spy. */
export type OnExecution = (call: StepCall, name: string) => void;

/** The spies of one app, by step name. They wrap the code of steps. */
export class StepSpies {
  onExecution: OnExecution = () => {};
  private readonly byName = new Map<string, Spy>();

  of(name: string): StepSpy {
    const spy = this.byName.get(name) ?? new Spy();
    this.byName.set(name, spy);
    return spy;
  }

  /** Wraps remote steps so that their calls are recorded. */
  watchServed(steps: readonly ServedStep[]): ServedStep[] {
    return steps.map((served) => ({
      ...served,
      run: (input: unknown, step: StepContext) => {
        const { workflowId, stepId, attempt } = step;
        return this.run(served.step.name, { workflowId, stepId, attempt, input }, step, () => served.run(input, step));
      },
    }));
  }

  /** Wraps this workflow so that calls of its local steps and transactions are recorded. */
  watchWorkflow(definition: WorkflowDefinition): void {
    const { runner } = definition;
    definition.runner = { run: (ctx, input) => runner.run(this.watched(ctx), input) };
  }

  private watched(ctx: WorkflowContext): WorkflowContext {
    const step: WorkflowContext['step'] = (name, work, options) =>
      ctx.step(
        name,
        (local: LocalStepContext) => {
          const { workflowId, stepId, attempt } = local;
          const call = { workflowId, stepId, attempt, input: undefined };
          return this.run(name, call, local, () => work(local)) as ReturnType<typeof work>;
        },
        options,
      );
    const transaction: WorkflowContext['transaction'] = (name, work, options) =>
      ctx.transaction(
        name,
        (handle: never) => {
          const call = { workflowId: ctx.workflowId, stepId: undefined, attempt: undefined, input: handle };
          return this.run(name, call, handle, () => work(handle)) as ReturnType<typeof work>;
        },
        options,
      );
    return { ...ctx, step, transaction };
  }

  private run(name: string, call: StepCall, step: unknown, original: () => unknown): unknown {
    this.onExecution(call, name);
    const spy = this.byName.get(name);
    return spy ? spy.run(call, step, original) : original();
  }
}
