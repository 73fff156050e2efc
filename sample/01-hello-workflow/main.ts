import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkflowClient } from 'nest-durable';
import { AppModule } from './app.module.js';
import { GreetingWorkflow } from './greeting.workflow.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();

const greeting = await app
  .get(WorkflowClient)
  .startAndWait(GreetingWorkflow, process.argv[2] ?? 'world', { timeout: '30s' });
console.log(greeting);

await app.close();
