import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { OrdersService } from './orders.service.js';
import type { PlacedOrder } from './payment.steps.js';

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  @HttpCode(202)
  async place(@Body() order: PlacedOrder) {
    await this.orders.place(order);
  }

  @Get(':id')
  find(@Param('id') id: string) {
    return this.orders.find(id);
  }
}
