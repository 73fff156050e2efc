import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Order } from './order.entity';
import { OrderWorkflow } from './order.workflow';
import { OrdersController } from './orders.controller';
import { OrdersService } from './orders.service';
import { PaymentSteps } from './payment.steps';
import { Shipments } from './shipments';

@Module({
  imports: [TypeOrmModule.forFeature([Order])],
  controllers: [OrdersController],
  providers: [OrdersService, OrderWorkflow, PaymentSteps, Shipments],
})
export class OrdersModule {}
