import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkflowClient } from 'nest-durable';
import { DataSource } from 'typeorm';
import { initializeTransactionalContext, StorageDriver } from 'typeorm-transactional';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { AppModule } from './app.module.js';

initializeTransactionalContext({ storageDriver: StorageDriver.ASYNC_LOCAL_STORAGE });
const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
const [accounts, workflows] = [app.get(AccountsService), app.get(WorkflowClient)];
const rows = app.get(DataSource).getRepository(Account);

await accounts.open({ id: 'rent', from: 'ada', to: 'bob', amount: 30 });
console.log(await workflows.result('rent', { timeout: '30s' }));
const balances = await rows.find({ order: { id: 'ASC' } });
console.log(balances.map(({ id, balance }) => `${id} has ${balance}`).join(', '));

await accounts
  .open({ id: 'nothing', from: 'cleo', to: 'dan', amount: 0 })
  .catch((error: Error) => console.log(error.message));
console.log(`${await rows.count()} accounts, ${(await workflows.list()).runs.length} run`);

await app.close();
