import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import { Order } from './order.entity';
import { PaymentSteps, type PlacedOrder } from './payment.steps';

@Workflow('order')
export class OrderWorkflow implements WorkflowRunner<PlacedOrder, string> {
  async run(ctx: WorkflowContext, order: PlacedOrder): Promise<string> {
    await ctx.remote(PaymentSteps, { compensate: 'payments.release' }).reserve(order);
    await ctx.sleep('time to think', '200ms');
    const charge = await ctx.remote(PaymentSteps).charge(order);
    await ctx.transaction('mark-paid', (tx) => tx.update(Order, order.id, { status: 'paid' }));
    await ctx.publish({ channel: `orders:${order.id}`, name: 'paid', data: { charge } });
    return charge;
  }
}
