import { Injectable } from '@nestjs/common';
import { WorkflowClient, type WorkflowHandle } from 'nest-durable';
import { DataSource } from 'typeorm';
import { Order } from './order.entity.js';
import { OrderWorkflow } from './order.workflow.js';
import type { PlacedOrder } from './payment.steps.js';

@Injectable()
export class OrdersService {
  constructor(
    private readonly db: DataSource,
    private readonly workflows: WorkflowClient,
  ) {}

  /** Commits the order together with its run, or neither. */
  place(order: PlacedOrder): Promise<WorkflowHandle<string>> {
    return this.db.transaction(async (tx) => {
      await tx.insert(Order, order);
      const run = await this.workflows.start(OrderWorkflow, order, { id: `order-${order.id}`, transaction: tx });
      if (order.amount <= 0) throw new Error('nothing to pay: everything above is rolled back');
      return run;
    });
  }
}
