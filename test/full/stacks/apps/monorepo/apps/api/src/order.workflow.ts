import { InvoiceSteps, type PlacedOrder, PRINT_INVOICE, type PrintedInvoice } from '@app/contracts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Workflow, type WorkflowContext, type WorkflowRunner, WorkflowSignal } from 'nest-durable';
import { OrderRow } from './order.entity';

export const confirmed = new WorkflowSignal<{ by: string }>('confirmed');

@Workflow('order')
export class OrderWorkflow implements WorkflowRunner<PlacedOrder, string> {
  async run(ctx: WorkflowContext, order: PlacedOrder): Promise<string> {
    const confirmation = await ctx.waitForSignal('confirmation', confirmed, { key: order.id, timeout: '3d' });
    if (!confirmation) return ctx.fail('nobody confirmed it', 'NOT_CONFIRMED');
    const invoice = await ctx.remote(InvoiceSteps).draw(order);
    const { text } = await ctx.remote<PrintedInvoice>(PRINT_INVOICE, invoice);
    await ctx.transaction('mark-invoiced', async (em: EntityManager) => {
      await em.nativeUpdate(OrderRow, { id: order.id }, { status: 'invoiced' });
    });
    return text;
  }
}
