import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { RelayModule } from './relay.module.js';

// No HTTP: a standalone application, as many processes as you like.
const app = await NestFactory.createApplicationContext(RelayModule, { logger: ['warn', 'error'] });
// SIGTERM: what is on its way arrives, and the share goes to the others at once.
app.enableShutdownHooks();
console.log(`relay ${process.pid}`);
