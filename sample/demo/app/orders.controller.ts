import { Body, Controller, Post } from '@nestjs/common';
import { WorkflowClient } from 'nest-durable';
import { DataSource } from 'typeorm';
import { Order } from './entities.js';
import { Ledger } from './ledger.js';
import { type OrderInput, OrderWorkflow } from './order.workflow.js';

@Controller('orders')
export class OrdersController {
  constructor(
    private readonly db: DataSource,
    private readonly workflows: WorkflowClient,
    private readonly ledger: Ledger,
  ) {}

  /** The order and its run are there together or not at all; asked again with the same order, it changes nothing. */
  @Post()
  place(@Body() order: OrderInput): Promise<{ id: string; created: boolean }> {
    return this.db.transaction(async (tx) => {
      const known = await tx.existsBy(Order, { id: order.id });
      if (known) return { id: order.id, created: false };
      await tx.insert(Order, order);
      await this.ledger.write(tx, order.id, 'placed', order.id);
      const { id, created } = await this.workflows.start(OrderWorkflow, order, {
        id: `order-${order.id}`,
        transaction: tx,
      });
      return { id, created };
    });
  }
}
