import { checkName } from '../engine/model/names.js';
import type { ClassOf, WorkflowRunner } from '../engine/model/workflow-context.js';
import type { WorkflowOptions } from './decorator-options.js';
import { injectableOnce } from './injectable-once.js';
import { WORKFLOW_METADATA } from './metadata.js';
import { checkWorkflowOptions } from './option-checks.js';

/**
 * Marks a class as a workflow. Runs are stored under `name`, which must outlive renames of the class. The class is
 * injectable by this alone, and must be a singleton provider.
 *
 * @example
 * \@Workflow('checkout', { version: 2 })
 * export class CheckoutWorkflow implements WorkflowRunner<Order, Receipt> {
 *   async run(ctx: WorkflowContext, order: Order): Promise<Receipt> { … }
 * }
 *
 * @throws InvalidArgumentError at once for a name or an option that cannot be used.
 */
export function Workflow(name: string, options: WorkflowOptions = {}) {
  checkName(name, 'The name of a workflow');
  checkWorkflowOptions(options, `@Workflow('${name}')`);
  return (target: ClassOf<WorkflowRunner<never, unknown>>): void => {
    injectableOnce(target);
    Reflect.defineMetadata(WORKFLOW_METADATA, { ...options, name }, target);
  };
}
