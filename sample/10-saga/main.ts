import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkflowClient } from 'nest-durable';
import { AppModule } from './app.module.js';
import { Agencies, TripWorkflow } from './trip.workflow.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
app.enableShutdownHooks();
const workflows = app.get(WorkflowClient);
const agencies = app.get(Agencies);

console.log(await workflows.startAndWait(TripWorkflow, { traveller: 'Ada', hotelIsFull: false }, { timeout: '30s' }));

const trip = await workflows.start(TripWorkflow, { traveller: 'Bob', hotelIsFull: true }, { id: 'trip-bob' });
const error = await trip.result({ timeout: '30s' }).catch((failure: Error & { code?: string }) => failure);
console.log(typeof error === 'string' ? error : `${(await trip.status()).status}: ${error.message} (${error.code})`);
console.log(agencies.books.join('\n'));

await app.close();
