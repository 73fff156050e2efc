import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkflowClient } from 'nest-durable';
import { AppModule, ReceiptWorkflow } from './app.module.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
console.log(await app.get(WorkflowClient).startAndWait(ReceiptWorkflow, 42, { timeout: '30s' }));
await app.close();
