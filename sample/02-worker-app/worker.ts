import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { WorkerModule } from './worker.module.js';

// No HTTP: a standalone application, as many processes as you like.
const app = await NestFactory.createApplicationContext(WorkerModule, { logger: ['log', 'warn', 'error'] });
// SIGTERM: takes nothing more, finishes what runs (10 s by default), gives the rest back.
app.enableShutdownHooks();
console.log(`worker ${process.pid}`);
