import { type DeclaredStep, remoteStepsOf, workerOf } from '../decorators/declarations.js';
import type { RemoteStepOptions, WorkerOptions } from '../decorators/decorator-options.js';
import type { RemoteStepDefinition, RemoteStepDirectory } from '../engine/remote-step-directory.js';
import { UnknownStepError } from '../errors.js';
import { groupOf, inPartition } from '../protocol/step.js';

/** What the app's configuration says in place of decorators. */
export interface RemoteStepOverrides {
  /** By class name. */
  workers: Readonly<Record<string, WorkerOptions>>;
  /** By step name. */
  steps: Readonly<Record<string, RemoteStepOptions>>;
}

/** A remote step with all that its decorators and the configuration say of it. */
export interface EffectiveStep extends RemoteStepDefinition {
  method: string;
  options: DeclaredStep;
  worker: WorkerOptions;
}

/** The remote steps of classes, whether they are providers of this process or imported for their types only. */
export class DeclaredRemoteSteps implements RemoteStepDirectory {
  private readonly byClass = new WeakMap<object, ReadonlyMap<string, EffectiveStep>>();
  private readonly byName = new Map<string, RemoteStepDefinition>();

  constructor(private readonly overrides: RemoteStepOverrides) {}

  ofClass(worker: object & { name?: string }): ReadonlyMap<string, EffectiveStep> {
    const known = this.byClass.get(worker) ?? this.read(worker);
    this.byClass.set(worker, known);
    if (known.size === 0) throw new UnknownStepError(worker.name ?? 'a class without a name');
    return known;
  }

  ofName(name: string): RemoteStepDefinition | undefined {
    return this.byName.get(name);
  }

  /** From now on {@link ofName} knows it. */
  register(step: RemoteStepDefinition): void {
    this.byName.set(step.name, step);
  }

  private read(target: object & { name?: string }): Map<string, EffectiveStep> {
    const worker = { ...workerOf(target), ...this.overrides.workers[target.name ?? ''] };
    const steps = new Map<string, EffectiveStep>();
    for (const [method, declared] of remoteStepsOf(target)) {
      const options = { ...declared, ...this.overrides.steps[declared.name] };
      const { name } = declared;
      const retry = options.retry ?? worker.retry;
      const group = inPartition(worker.group ?? groupOf(name), worker.partition);
      steps.set(method, { name, group, method, options, worker, ...(retry !== undefined && { retry }) });
    }
    return steps;
  }
}
