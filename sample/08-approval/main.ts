import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type Duration, WorkflowClient } from 'nest-durable';
import { AppModule } from './app.module.js';
import { ApprovalWorkflow, decided } from './approval.workflow.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
const workflows = app.get(WorkflowClient);
const ask = (id: string, patience: Duration) =>
  workflows.start(ApprovalWorkflow, { expense: { id, amount: 40 }, patience }, { id: `expense-${id}` });

// Decided before anybody asked: the signal waits for the run.
await workflows.signal(decided, { by: 'Ada', approved: true }, { key: 'A', id: 'click-1' });
const early = await ask('A', '1h');
console.log(`A: ${await early.result({ timeout: '30s' })}`);

// The same click delivered twice is one decision.
const once = await ask('B', '1h');
for (const attempt of [1, 2]) {
  const { created } = await workflows.signal(decided, { by: 'Bob', approved: false }, { key: 'B', id: 'click-2' });
  console.log(`B: click ${attempt} ${created ? 'counts' : 'was there already'}`);
}
console.log(`B: ${await once.result({ timeout: '30s' })}`);

// Nobody decides.
const never = await ask('C', '300ms');
console.log(`C: ${await never.result({ timeout: '30s' })}`);

await app.close();
