import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ApiModule } from './app/modules.js';

const app = await NestFactory.create(ApiModule, { logger: ['error'] });
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('disconnect', () => process.exit(1));
process.send?.('ready');
