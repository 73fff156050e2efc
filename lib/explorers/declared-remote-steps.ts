import { type DeclaredStep, limitsOf, remoteStepsOf, workerOf } from '../decorators/declarations.js';
import { type RemoteStepOptions, type WorkerOptions, overridden } from '../decorators/decorator-options.js';
import type { RemoteStepDefinition, RemoteStepDirectory } from '../engine/model/remote-step-directory.js';
import { UnknownStepError } from '../errors/code-errors.js';
import { groupOf, inPartition } from '../protocol/step.js';

/** Configuration that overrides decorators. */
export interface RemoteStepOverrides {
  /** By class name. */
  workers: Readonly<Record<string, WorkerOptions>>;
  /** By step name. */
  steps: Readonly<Record<string, RemoteStepOptions>>;
}

/** A remote step with the options of its decorators and of the configuration. */
export interface EffectiveStep extends RemoteStepDefinition {
  method: string;
  options: DeclaredStep;
  worker: WorkerOptions;
}

/** The remote steps of classes, both providers of this process and classes imported only for their types. */
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

  /** The configuration may have options for a step that no class here declares. */
  ofName(name: string): RemoteStepDefinition | undefined {
    const known = this.byName.get(name);
    if (known || !Object.hasOwn(this.overrides.steps, name)) return known;
    const options = this.overrides.steps[name]!;
    return { name, group: groupOf(name), ...playedBy(options, {}), ...limitedBy(options) };
  }

  /** Makes {@link ofName} find it. */
  register(step: RemoteStepDefinition): void {
    this.byName.set(step.name, step);
  }

  private read(target: object & { name?: string }): Map<string, EffectiveStep> {
    const worker = overridden(workerOf(target), this.overrides.workers, target.name ?? '');
    const steps = new Map<string, EffectiveStep>();
    for (const [method, declared] of remoteStepsOf(target)) {
      const options = overridden(declared, this.overrides.steps, declared.name);
      const { name } = declared;
      const group = inPartition(worker.group ?? groupOf(name), worker.partition);
      steps.set(method, {
        name,
        group,
        method,
        options,
        worker,
        ...playedBy(options, worker),
        ...limitedBy(options),
      });
    }
    return steps;
  }
}

/** The options of a step about its attempts and its record; those of its class apply where it sets none. */
function playedBy(
  step: RemoteStepOptions,
  worker: WorkerOptions,
): Pick<RemoteStepDefinition, 'retry' | 'onExhausted' | 'keepInputs'> {
  const retry = step.retry ?? worker.retry;
  const onExhausted = step.onExhausted ?? worker.onExhausted;
  const keepInputs = step.keepInputs ?? worker.keepInputs;
  return {
    ...(retry !== undefined && { retry }),
    ...(onExhausted !== undefined && { onExhausted }),
    ...(keepInputs !== undefined && { keepInputs }),
  };
}

function limitedBy(options: RemoteStepOptions): Pick<RemoteStepDefinition, 'limits'> {
  const limits = limitsOf(options);
  return limits ? { limits } : {};
}
