import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ApiModule } from './api.module.js';

const app = await NestFactory.create(ApiModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT'] ?? 3000));
console.log(`API on ${await app.getUrl()}`);
