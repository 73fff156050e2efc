import { InvoiceSteps, Prices } from '@app/contracts';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { defineConfig } from '@mikro-orm/postgresql';
import { Module } from '@nestjs/common';
import { DurableModule } from 'nest-durable';
import { PriceList } from './price-list';

@Module({
  imports: [
    MikroOrmModule.forRoot(
      defineConfig({ clientUrl: process.env.DATABASE_URL, discovery: { warnWhenNoEntities: false } }),
    ),
    DurableModule.forRoot({ engine: false, worker: { concurrency: 20 } }),
  ],
  providers: [InvoiceSteps, { provide: Prices, useClass: PriceList }],
})
export class WorkerModule {}
