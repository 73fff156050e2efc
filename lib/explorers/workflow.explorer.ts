import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import { type DeclaredWorkflow, isWorker, remoteStepsOf, traitsOf, workflowOf } from '../decorators/declarations.js';
import { type WorkflowOptions, overridden } from '../decorators/decorator-options.js';
import { checkOverriddenNames } from '../decorators/override-checks.js';
import type { WorkflowRunner } from '../engine/model/workflow-context.js';
import { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { newestDeclarations } from '../engine/schedules/declared-schedules.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import { DeclaredRemoteSteps, type EffectiveStep } from './declared-remote-steps.js';
import { type Class, decoratedProviders } from './decorated-providers.js';
import { enhanced, refuseEnhancers } from './enhanced-methods.js';
import { validatedStep } from './validated-step.js';
import type { StepHandler } from '../worker/handler-registry.js';

/** Configuration that overrides `@Workflow`, by workflow name. */
export type WorkflowOverrides = Readonly<Record<string, Omit<WorkflowOptions, 'version' | 'input'>>>;

/** Registers every provider with `@Workflow`. */
@Injectable()
export class WorkflowExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(WorkflowRegistry) private readonly registry: WorkflowRegistry,
  ) {}

  /** @throws ConfigurationError */
  explore(overrides: WorkflowOverrides): void {
    for (const { type, instance } of decoratedProviders(this.discovery, (type) => workflowOf(type) !== undefined)) {
      const declared = workflowOf(type) as DeclaredWorkflow;
      const { name, version = 1 } = declared;
      if (typeof instance['run'] !== 'function') {
        throw new ConfigurationError(`${type.name} has @Workflow('${name}') but no method run(ctx, input)`);
      }
      refuseEnhancers({ type, instance, method: 'run' }, 'a run is replayed. Use them on @RemoteStep methods');
      const runner = instance as unknown as WorkflowRunner;
      this.registry.register({ ...traitsOf(overridden(declared, overrides, name)), name, version, runner });
    }
    const names = this.registry.all().map(({ name }) => name);
    checkOverriddenNames(overrides, names, 'workflows');
    newestDeclarations(this.registry);
  }
}

/** A remote step that a provider of this process can run. */
export interface ServedStep {
  step: EffectiveStep;
  /** The class that declares it. */
  type: Class;
  run: StepHandler;
}

/** Finds every `@RemoteStep` method of every provider. */
@Injectable()
export class RemoteStepExplorer {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(DeclaredRemoteSteps) private readonly declared: DeclaredRemoteSteps,
    @Inject(ExternalContextCreator) private readonly contexts: ExternalContextCreator,
  ) {}

  /** @throws ConfigurationError */
  explore(): ServedStep[] {
    const served = new Map<string, ServedStep>();
    for (const { type, instance } of decoratedProviders(this.discovery, isWorker)) {
      if (remoteStepsOf(type).size === 0) throw withoutSteps(type);
      for (const step of this.declared.ofClass(type).values()) {
        const location = `${type.name}.${step.method}`;
        const other = served.get(step.name);
        if (other) throw duplicate(step.name, `${other.type.name}.${other.step.method}`, location);
        if (typeof instance[step.method] !== 'function') {
          // A test's replacement of the class need not be complete.
          if (!(instance instanceof type)) continue;
          throw new ConfigurationError(
            `${location} has @RemoteStep('${step.name}') but is not a method of its instance`,
          );
        }
        const run = validatedStep(step, enhanced(this.contexts, { type, instance, method: step.method }));
        served.set(step.name, { step, type, run });
        this.declared.register(step);
      }
    }
    return [...served.values()];
  }
}

function withoutSteps({ name }: Class): ConfigurationError {
  return new ConfigurationError(
    `${name} has @Worker but no method with @RemoteStep: a call of its methods through ctx.remote would be refused. ` +
      `Decorate them with @RemoteStep('name'), or remove @Worker`,
  );
}

function duplicate(name: string, first: string, second: string): ConfigurationError {
  const advice =
    first === second
      ? `${first} exists twice: provide its class in one module and export it from there`
      : `it is declared by ${first} and by ${second}: rename one`;
  return new ConfigurationError(`Two handlers for the remote step "${name}": ${advice}`);
}
