import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { Agencies, BookingSteps, TripWorkflow } from './trip.workflow.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
    }),
    DurableModule.forRoot(),
  ],
  providers: [TripWorkflow, BookingSteps, Agencies],
})
export class AppModule {}
