import { MikroOrmModule } from '@mikro-orm/nestjs';
import { defineConfig } from '@mikro-orm/mysql';
import { Module } from '@nestjs/common';
import { DurableModule } from 'nest-durable';
import { Order } from './orders/order.entity.js';
import { OrdersModule } from './orders/orders.module.js';

@Module({
  imports: [
    MikroOrmModule.forRoot(defineConfig({ clientUrl: process.env.DATABASE_URL, entities: [Order] })),
    DurableModule.forRoot(),
    OrdersModule,
  ],
})
export class AppModule {}
