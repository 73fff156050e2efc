import { Injectable } from '@nestjs/common';
import { WorkflowClient } from 'nest-durable';
import { DataSource } from 'typeorm';
import { Order } from './order.entity';
import { OrderWorkflow, packed } from './order.workflow';
import type { PlacedOrder } from './payment.steps';

@Injectable()
export class OrdersService {
  constructor(
    private readonly db: DataSource,
    private readonly workflows: WorkflowClient,
  ) {}

  /** Commits the order together with its run, or neither. */
  place(order: PlacedOrder) {
    return this.db.transaction(async (tx) => {
      await tx.insert(Order, order);
      await this.workflows.start(OrderWorkflow, order, { id: `order-${order.id}`, transaction: tx });
      if (order.amount <= 0) throw new Error('nothing to pay');
    });
  }

  async pack(id: string, parcel: string) {
    await this.workflows.signal(packed, { parcel }, { key: id, id: `packed-${id}` });
  }

  async find(id: string) {
    const run = await this.workflows.getStatus(`order-${id}`);
    const order = await this.db.getRepository(Order).findOneByOrFail({ id });
    return { ...order, run: { status: run.status, output: run.output } };
  }
}
