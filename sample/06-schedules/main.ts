import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { WorkflowClient, WorkflowSchedules } from 'nest-durable';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { Subscription } from './subscription.entity.js';
import { SubscriptionsService } from './subscriptions.service.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
const schedules = app.get(WorkflowSchedules);
const subscriptions = app.get(SubscriptionsService);
const rows = app.get(DataSource).getRepository(Subscription);

// Written down when the engine starts.
while ((await schedules.list()).length < 2) await pause(20);
for (const { id, nextAt } of await schedules.list()) console.log(`${id}: next at ${nextAt?.toISOString()}`);
const plan = { cron: '30 2 * * *', timeZone: 'Europe/Berlin', startAt: new Date('2099-10-24T00:00:00Z') };
for (const time of await schedules.preview(plan, 3)) console.log(`half past two in Berlin: ${time.toISOString()}`);

// Outside of the plan.
const run = await schedules.trigger('sales-report-daily');
console.log(await app.get(WorkflowClient).result(run, { timeout: '30s' }));

await subscriptions.subscribe('ada', 'ada@example.org');
await subscriptions.subscribe('bob', 'nowhere').catch((error: Error) => console.log(error.message));
while ((await rows.findOneByOrFail({ id: 'ada' })).reminders < 2) await pause(50);
console.log('ada was reminded twice');
await subscriptions.unsubscribe('ada');
console.log(`left: ${(await schedules.list()).map(({ id }) => id).join(', ')}`);

await app.close();
