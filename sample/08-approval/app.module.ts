import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { ApprovalWorkflow } from './approval.workflow.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
    }),
    DurableModule.forRoot(),
  ],
  providers: [ApprovalWorkflow],
})
export class AppModule {}
