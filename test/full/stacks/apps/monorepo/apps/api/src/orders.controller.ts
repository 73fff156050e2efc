import type { Order, PlacedOrder } from '@app/contracts';
import { EntityManager } from '@mikro-orm/postgresql';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { WorkflowClient } from 'nest-durable';
import { OrderRow } from './order.entity';
import { confirmed, OrderWorkflow } from './order.workflow';

@Controller('orders')
export class OrdersController {
  constructor(
    private readonly em: EntityManager,
    private readonly workflows: WorkflowClient,
  ) {}

  @Post()
  @HttpCode(202)
  async place(@Body() order: PlacedOrder) {
    await this.em.transactional(async (em) => {
      em.persist(new OrderRow(order.id, order.lines));
      await this.workflows.start(OrderWorkflow, order, { id: `order-${order.id}` });
    });
  }

  @Post(':id/confirmation')
  @HttpCode(202)
  async confirm(@Param('id') id: string, @Body() { by }: { by: string }) {
    await this.workflows.signal(confirmed, { by }, { key: id });
  }

  @Get(':id')
  async find(@Param('id') id: string): Promise<Order> {
    const { status, output } = await this.workflows.getStatus(`order-${id}`);
    const order = await this.em.fork().findOneOrFail(OrderRow, id);
    return { ...order, run: { status, output } };
  }
}
