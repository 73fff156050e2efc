import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { ReminderWorkflow } from './reminder.workflow.js';
import { SalesReportWorkflow } from './sales-report.workflow.js';
import { Subscription } from './subscription.entity.js';
import { SubscriptionsService } from './subscriptions.service.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
      entities: [Subscription],
      synchronize: true,
    }),
    DurableModule.forRoot(),
  ],
  providers: [SubscriptionsService, SalesReportWorkflow, ReminderWorkflow],
})
export class AppModule {}
