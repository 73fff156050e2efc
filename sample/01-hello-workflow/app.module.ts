import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { GreetingWorkflow, TranslationSteps } from './greeting.workflow.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
    }),
    // Finds the ORM by itself, and makes its tables outside of production.
    DurableModule.forRoot(),
  ],
  providers: [GreetingWorkflow, TranslationSteps],
})
export class AppModule {}
