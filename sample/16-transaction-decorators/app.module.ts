import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DurableModule } from 'nest-durable';
import { DataSource } from 'typeorm';
import { addTransactionalDataSource } from 'typeorm-transactional';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { BalancesService } from './balances.service.js';
import { TransferWorkflow } from './transfer.workflow.js';

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      useFactory: () => ({
        type: 'postgres',
        url: process.env['DATABASE_URL'] ?? 'postgres://app:app@localhost:5432/app',
        entities: [Account],
        synchronize: true,
      }),
      // DurableModule finds the library by the DataSource: nothing else is to be configured.
      dataSourceFactory: async (options) => addTransactionalDataSource(new DataSource(options!)),
    }),
    TypeOrmModule.forFeature([Account]),
    DurableModule.forRoot(),
  ],
  providers: [AccountsService, BalancesService, TransferWorkflow],
})
export class AppModule {}
