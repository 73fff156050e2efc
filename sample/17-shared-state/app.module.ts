import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { Price } from './price.entity.js';
import { PricesService } from './prices.service.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
      entities: [Price],
      synchronize: true,
    }),
    DurableModule.forRoot(),
  ],
  providers: [PricesService],
})
export class AppModule {}
