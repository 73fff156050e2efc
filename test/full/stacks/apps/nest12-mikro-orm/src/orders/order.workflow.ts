import type { EntityManager } from '@mikro-orm/mysql';
import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import { Order } from './order.entity.js';
import { PaymentSteps, type PlacedOrder } from './payment.steps.js';

@Workflow('order')
export class OrderWorkflow implements WorkflowRunner<PlacedOrder, string> {
  async run(ctx: WorkflowContext, order: PlacedOrder): Promise<string> {
    await ctx.sleep('cooling-off', order.coolingOff);
    const charge = await ctx.remote(PaymentSteps).charge(order);
    await ctx.transaction('mark-paid', async (em: EntityManager) => {
      const row = await em.findOneOrFail(Order, order.id);
      row.status = 'paid';
    });
    await ctx.effects({ operation: 'confirm', subject: order.id, calls: [{ handler: 'mail.confirm', ref: order.id }] });
    return charge;
  }
}
