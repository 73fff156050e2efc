import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import type { EntityManager } from 'typeorm';
import { Subscription } from './subscription.entity.js';

@Workflow('reminder')
export class ReminderWorkflow implements WorkflowRunner<{ subscription: string }, void> {
  async run(ctx: WorkflowContext, { subscription }: { subscription: string }): Promise<void> {
    await ctx.transaction('remind', (tx: EntityManager) =>
      tx.increment(Subscription, { id: subscription }, 'reminders', 1),
    );
  }
}
