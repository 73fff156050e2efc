import type { EntityManager } from '@mikro-orm/mariadb';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { DurableModule, Workflow, type WorkflowContext, type WorkflowRunner } from 'nest-durable';
import config from './mikro-orm.config.js';
import { Receipt } from './receipt.entity.js';

@Workflow('receipt')
export class ReceiptWorkflow implements WorkflowRunner<number, string> {
  run(ctx: WorkflowContext, amount: number): Promise<string> {
    return ctx.transaction('save', async (em: EntityManager) => {
      em.persist(new Receipt(ctx.workflowId, amount));
      return `received: ${amount}`;
    });
  }
}

@Module({
  imports: [
    MikroOrmModule.forRoot(config),
    // Only checks the tables: without the migration the app does not start.
    DurableModule.forRoot({ migrate: false }),
  ],
  providers: [ReceiptWorkflow],
})
export class AppModule {}
