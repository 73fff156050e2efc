import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { OrdersService } from './orders.service';
import type { PlacedOrder } from './payment.steps';

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  @HttpCode(202)
  async place(@Body() order: PlacedOrder) {
    await this.orders.place(order);
  }

  @Post(':id/parcel')
  @HttpCode(202)
  async pack(@Param('id') id: string, @Body() { parcel }: { parcel: string }) {
    await this.orders.pack(id, parcel);
  }

  @Get(':id')
  find(@Param('id') id: string) {
    return this.orders.find(id);
  }
}
