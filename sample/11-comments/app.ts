import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';

const folder = (url: string): string => fileURLToPath(new URL('.', url));

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
// The page's modules, and the library that it applies patches with: as they are, nothing is bundled.
app.useStaticAssets(folder(import.meta.resolve('./page/main.mjs')), { prefix: '/page' });
app.useStaticAssets(folder(import.meta.resolve('fast-json-patch')), { prefix: '/fast-json-patch' });
await app.listen(Number(process.env['PORT'] ?? 3000));
console.log(`comments on ${await app.getUrl()}`);
