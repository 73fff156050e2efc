import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { options } from './data-source';
import { Announcements } from './orders/announcements';
import { OrderWorkflow } from './orders/order.workflow';
import { OrdersController } from './orders/orders.controller';
import { PaymentSteps } from './orders/payment.steps';

@Module({
  imports: [TypeOrmModule.forRoot(options), DurableModule.forRoot({ migrate: false })],
  controllers: [OrdersController],
  providers: [OrderWorkflow, PaymentSteps, Announcements],
})
export class AppModule {}
