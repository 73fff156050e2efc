import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type DeclaredWorkflow, traitsOf, workflowOf } from '../decorators/declarations.js';
import type { WorkflowOptions } from '../decorators/decorator-options.js';
import { overridden } from '../decorators/option-overrides.js';
import { newestDeclarations } from '../engine/schedules/declared-schedules.js';
import type { WorkflowRunner } from '../engine/model/workflow-context.js';
import { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import { ConfigurationError } from '../errors.js';
import { decoratedProviders } from './decorated-providers.js';

/** What the app's configuration says in place of `@Workflow`, by workflow name. */
export type WorkflowOverrides = Readonly<Record<string, Omit<WorkflowOptions, 'version'>>>;

/** Registers every provider that carries `@Workflow`. */
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
        throw new ConfigurationError(`${type.name} carries @Workflow('${name}') but has no method run(ctx, input)`);
      }
      const runner = instance as unknown as WorkflowRunner;
      this.registry.register({ ...traitsOf(overridden(declared, overrides, name)), name, version, runner });
    }
    newestDeclarations(this.registry);
  }
}
