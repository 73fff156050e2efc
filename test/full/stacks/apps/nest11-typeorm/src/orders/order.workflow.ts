import { Workflow, type WorkflowContext, type WorkflowRunner, WorkflowSignal } from 'nest-durable';
import type { EntityManager } from 'typeorm';
import { Order } from './order.entity';
import { PaymentSteps, type PlacedOrder } from './payment.steps';

export const packed = new WorkflowSignal<{ parcel: string }>('packed');

@Workflow('order')
export class OrderWorkflow implements WorkflowRunner<PlacedOrder, { charge: string; parcel: string }> {
  async run(ctx: WorkflowContext, order: PlacedOrder) {
    const charge = await ctx.remote(PaymentSteps).charge(order);
    await ctx.transaction('mark-paid', (tx: EntityManager) => tx.update(Order, order.id, { status: 'paid' }));
    const signal = await ctx.waitForSignal('packed', packed, { key: order.id, timeout: '3d' });
    if (!signal) return ctx.fail('nobody packed it', 'NOT_PACKED');
    await ctx.publish({ channel: `orders:${order.id}`, name: 'shipped', data: signal });
    return { charge, parcel: signal.parcel };
  }
}
