import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { Order } from './order.entity.js';
import { OrderWorkflow } from './order.workflow.js';
import { OrdersService } from './orders.service.js';
import { PaymentProvider, PaymentSteps } from './payment.steps.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
      entities: [Order],
      synchronize: true,
    }),
    DurableModule.forRoot(),
  ],
  providers: [OrdersService, OrderWorkflow, PaymentSteps, PaymentProvider],
})
export class AppModule {}
