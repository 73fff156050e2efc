import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import { Order } from './order.entity.js';
import { PaymentSteps, type PlacedOrder } from './payment.steps.js';

@Workflow('order')
export class OrderWorkflow implements WorkflowRunner<PlacedOrder, string> {
  async run(ctx: WorkflowContext, order: PlacedOrder): Promise<string> {
    // Runs in whichever process serves PaymentSteps; retried there, recorded here.
    const charge = await ctx.remote(PaymentSteps).charge(order);
    // The app's rows and the record of the step in one commit: exactly once.
    await ctx.transaction('mark-paid', (tx) => tx.update(Order, order.id, { status: 'paid' }));
    // '7d' works as well: nothing waits in memory.
    await ctx.sleep('cooling-off', '200ms');
    await ctx.step('thank', () => console.log(`thank you for order ${order.id}`));
    return charge;
  }
}
