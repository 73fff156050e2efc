import { Module } from '@nestjs/common';
import { Mail } from './mail.js';
import { OrderWorkflow } from './order.workflow.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { PaymentSteps } from './payment.steps.js';

@Module({
  controllers: [OrdersController],
  providers: [OrdersService, OrderWorkflow, PaymentSteps, Mail],
})
export class OrdersModule {}
