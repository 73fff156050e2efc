import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ValidationError, WorkflowClient } from 'nest-durable';
import { AppModule } from './app.module.js';
import { type Booking, BookingWorkflow, paid } from './booking.workflow.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
const workflows = app.get(WorkflowClient);

const say = (error: unknown) => {
  if (!(error instanceof ValidationError)) throw error;
  for (const { path, code } of error.issues) console.log(`refused: ${path.join('.')} (${code})`);
};

// What a request brings has no type yet: nothing of it is written.
const request: unknown = JSON.parse('{ "guest": " ", "nights": 1.5 }');
await workflows.start(BookingWorkflow, request as Booking).catch(say);

const good: unknown = JSON.parse('{ "guest": " Ada ", "nights": 2 }');
const run = await workflows.start(BookingWorkflow, good as Booking, { id: 'ada' });
await workflows.signal(paid, {} as never, { workflowId: run.id }).catch(say);
await workflows.signal(paid, { euros: '195' }, { workflowId: run.id });
console.log(await run.result({ timeout: '30s' }));

// The same request again: what is compared is what the schema made of it.
const again = await workflows.start(BookingWorkflow, { guest: 'Ada', nights: 2, breakfast: true }, { id: 'ada' });
console.log(again.created ? 'booked twice' : 'the same booking');

await app.close();
