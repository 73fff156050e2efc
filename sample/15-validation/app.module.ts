import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { BookingWorkflow, HotelSteps } from './booking.workflow.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
    }),
    DurableModule.forRoot(),
  ],
  providers: [BookingWorkflow, HotelSteps],
})
export class AppModule {}
