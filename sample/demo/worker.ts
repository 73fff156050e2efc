import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkerModule } from './app/modules.js';

const app = await NestFactory.createApplicationContext(WorkerModule, { logger: ['error'] });
app.enableShutdownHooks();
process.once('disconnect', () => process.exit(1));
process.send?.('ready');
