import 'reflect-metadata';
import { EntityManager } from '@mikro-orm/mysql';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { SignupsService } from './signups.service.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
// An app of yours has migrations for this.
await app
  .get(EntityManager)
  .getConnection()
  .execute('CREATE TABLE IF NOT EXISTS signups (email varchar(191) PRIMARY KEY, status varchar(32) NOT NULL)');

const signups = app.get(SignupsService);
const email = process.argv[2] ?? `ada.${Date.now()}@example.org`;
const run = await signups.signUp(email);
console.log(await run.result({ timeout: '30s' }));
console.log(`${email} is ${await signups.statusOf(email)}`);

await app.close();
