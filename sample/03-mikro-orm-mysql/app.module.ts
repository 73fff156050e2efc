import { MySqlDriver } from '@mikro-orm/mysql';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { DurableModule, durableSkipTables } from 'nest-durable';
import { SignupSchema } from './signup.entity.js';
import { MailSteps, SignupWorkflow } from './signup.workflow.js';
import { SignupsService } from './signups.service.js';

@Module({
  imports: [
    MikroOrmModule.forRoot({
      driver: MySqlDriver,
      clientUrl: process.env['DATABASE_URL'] ?? 'mysql://app:app@localhost:3306/app',
      entities: [SignupSchema],
      // Otherwise `schema:update` would drop the tables of nest-durable, since they have no entities.
      schemaGenerator: { skipTables: durableSkipTables() },
    }),
    DurableModule.forRoot(),
  ],
  providers: [SignupWorkflow, MailSteps, SignupsService],
})
export class AppModule {}
