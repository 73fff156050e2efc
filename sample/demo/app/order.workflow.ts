import { Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import type { EntityManager } from 'typeorm';
import { Order } from './entities.js';
import { Ledger } from './ledger.js';
import { PaymentSteps } from './payment.steps.js';
import { WarehouseSteps } from './warehouse.steps.js';

export interface OrderInput {
  id: string;
  amount: number;
}

/** What every order must have had exactly once. The demo checks the ledger against it. */
export const EFFECTS = ['price', 'reserve', 'charge', 'paid', 'ship', 'receipt'] as const;
/** The effects, and one sleep. */
export const STEPS_PER_RUN = EFFECTS.length + 1;

@Workflow('demo.order')
export class OrderWorkflow implements WorkflowRunner<OrderInput, string[]> {
  constructor(private readonly ledger: Ledger) {}

  async run(ctx: WorkflowContext, order: OrderInput): Promise<string[]> {
    const payments = ctx.remote(PaymentSteps);
    const warehouse = ctx.remote(WarehouseSteps);

    const price = await ctx.step('price', (step) => this.ledger.effect(order.id, 'price', step));
    const reserved = await warehouse.reserve(order);
    const charged = await payments.charge(order);
    await ctx.transaction('paid', async (tx: EntityManager) => {
      await tx.update(Order, order.id, { status: 'paid' });
      await this.ledger.write(tx, order.id, 'paid', ctx.workflowId);
    });
    await ctx.sleep('packing', '500ms');
    const [shipped, receipt] = await Promise.all([warehouse.ship(order), payments.receipt(order)]);
    return [price, reserved, charged, shipped, receipt];
  }
}
