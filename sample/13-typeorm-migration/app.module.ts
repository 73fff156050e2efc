import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule, Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import dataSource from './data-source.js';

@Workflow('receipt')
export class ReceiptWorkflow implements WorkflowRunner<number, string> {
  run(ctx: WorkflowContext, amount: number): Promise<string> {
    return ctx.step('print', () => `received: ${amount}`);
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot(dataSource.options),
    // Only checks the tables: without the migration the app does not start.
    DurableModule.forRoot({ migrate: false }),
  ],
  providers: [ReceiptWorkflow],
})
export class AppModule {}
