import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { WorkflowClient, WorkflowNotFoundError } from 'nest-durable';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { Order } from './order.entity.js';
import { OrdersService } from './orders.service.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
const orders = app.get(OrdersService);
const rows = app.get(DataSource).getRepository(Order);

const paid = randomUUID();
const run = await orders.place({ id: paid, amount: 42 });
console.log(await run.result({ timeout: '30s' }));
console.log(`the first order is ${(await rows.findOneByOrFail({ id: paid })).status}`);

const unpaid = randomUUID();
await orders.place({ id: unpaid, amount: 0 }).catch((error: Error) => console.log(error.message));
const status = await app
  .get(WorkflowClient)
  .getStatus(`order-${unpaid}`)
  .catch((error: unknown) => error);
console.log(
  `the second order: ${await rows.countBy({ id: unpaid })} rows, run found: ${!(status instanceof WorkflowNotFoundError)}`,
);

await app.close();
