import { EntityManager } from '@mikro-orm/mysql';
import { Injectable } from '@nestjs/common';
import { WorkflowClient } from 'nest-durable';
import { Order } from './order.entity.js';
import { OrderWorkflow } from './order.workflow.js';
import type { PlacedOrder } from './payment.steps.js';

@Injectable()
export class OrdersService {
  constructor(
    private readonly em: EntityManager,
    private readonly workflows: WorkflowClient,
  ) {}

  /** Commits the order together with its run, or neither. */
  async place(order: PlacedOrder): Promise<void> {
    await this.em.transactional(async (em) => {
      em.create(Order, { id: order.id, amount: order.amount });
      await this.workflows.start(OrderWorkflow, order, { id: `order-${order.id}` });
      if (order.amount <= 0) throw new Error('nothing to pay');
    });
  }

  async find(id: string) {
    const { status, output } = await this.workflows.getStatus(`order-${id}`);
    const order = await this.em.fork().findOneOrFail(Order, id);
    return { id, amount: order.amount, status: order.status, run: { status, output } };
  }
}
