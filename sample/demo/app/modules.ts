import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { LedgerEntry, Order } from './entities.js';
import { LEASE } from './lease.js';
import { Ledger } from './ledger.js';
import { OrdersController } from './orders.controller.js';
import { OrderWorkflow } from './order.workflow.js';
import { PaymentSteps } from './payment.steps.js';
import { WarehouseSteps } from './warehouse.steps.js';

const database = (synchronize: boolean) =>
  TypeOrmModule.forRoot({
    type: 'postgres',
    url: process.env['DATABASE_URL'] ?? '',
    entities: [Order, LedgerEntry],
    poolSize: 15,
    synchronize,
  });

@Module({
  imports: [database(true), DurableModule.forRoot({ worker: false, engine: { nodeLease: LEASE } })],
  controllers: [OrdersController],
  providers: [Ledger, OrderWorkflow],
})
export class ApiModule {}

@Module({
  imports: [database(false), DurableModule.forRoot({ engine: false, worker: { leaseDuration: LEASE } })],
  providers: [Ledger, PaymentSteps, WarehouseSteps],
})
export class WorkerModule {}
