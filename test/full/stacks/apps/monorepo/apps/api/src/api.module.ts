import { MikroOrmModule } from '@mikro-orm/nestjs';
import { defineConfig } from '@mikro-orm/postgresql';
import { Module } from '@nestjs/common';
import { DurableModule } from 'nest-durable';
import { OrderSchema } from './order.entity';
import { OrderWorkflow } from './order.workflow';
import { OrdersController } from './orders.controller';

@Module({
  imports: [
    MikroOrmModule.forRoot(defineConfig({ clientUrl: process.env.DATABASE_URL, entities: [OrderSchema] })),
    DurableModule.forRoot({ worker: false }),
  ],
  controllers: [OrdersController],
  providers: [OrderWorkflow],
})
export class ApiModule {}
