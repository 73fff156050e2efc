import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type DeclaredWorkflow, workflowOf } from '../decorators/declarations.js';
import type { WorkflowOptions } from '../decorators/decorator-options.js';
import type { WorkflowRunner } from '../engine/workflow-context.js';
import { WorkflowRegistry } from '../engine/workflow-registry.js';
import { ConfigurationError } from '../errors.js';
import { decoratedProviders } from './decorated-providers.js';

/** What the app's configuration says in place of `@Workflow`, by workflow name. */
export type WorkflowOverrides = Readonly<Record<string, Pick<WorkflowOptions, 'retry'>>>;

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
      const { name, version = 1, retry } = { ...(workflowOf(type) as DeclaredWorkflow) };
      if (typeof instance['run'] !== 'function') {
        throw new ConfigurationError(`${type.name} carries @Workflow('${name}') but has no method run(ctx, input)`);
      }
      const policy = overrides[name]?.retry ?? retry;
      const runner = instance as unknown as WorkflowRunner;
      this.registry.register({ name, version, runner, ...(policy !== undefined && { retry: policy }) });
    }
  }
}
