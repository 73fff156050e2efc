import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { PricesService } from './prices.service.js';

// Each stands for a process.
const open = () => NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
const apps = [await open(), await open()];
const [here, there] = apps.map((app) => app.get(PricesService)) as [PricesService, PricesService];

const day = { book: 10, pen: 2 };
const imports = await Promise.all([here, there].map((prices) => prices.importDay('2026-03-01', day)));
console.log(`${imports.filter((made) => made).length} of ${imports.length} imported the day`);

console.log(`a book is ${await there.priceOf('book')} euros there`);
await here.change('book', 12);
while ((await there.priceOf('book')) !== 12) await pause(20);
console.log('and 12 since it was changed here');

const now = new Date('2026-03-01T12:00:00Z');
const asked = await Promise.all(Array.from({ length: 12 }, (_, n) => [here, there][n % 2]!.mayAsk('ada', now)));
console.log(`${asked.filter((may) => may).length} of ${asked.length} questions of Ada in a minute were answered`);

for (const app of apps) await app.close();
