import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { WorkflowClient } from 'nest-durable';
import { DataSource } from 'typeorm';
import { Order } from './order.entity';
import { OrderWorkflow } from './order.workflow';
import type { PlacedOrder } from './payment.steps';

@Controller('orders')
export class OrdersController {
  constructor(
    private readonly db: DataSource,
    private readonly workflows: WorkflowClient,
  ) {}

  @Post()
  @HttpCode(202)
  async place(@Body() order: PlacedOrder) {
    await this.db.transaction(async (tx) => {
      await tx.insert(Order, { ...order, status: 'new' });
      await this.workflows.start(OrderWorkflow, order, { id: `order-${order.id}`, transaction: tx });
    });
  }

  @Get(':id')
  async find(@Param('id') id: string) {
    const { status, output, error } = await this.workflows.getStatus(`order-${id}`);
    const order = await this.db.getRepository(Order).findOneByOrFail({ id });
    return { ...order, run: { status, output, error } };
  }
}
