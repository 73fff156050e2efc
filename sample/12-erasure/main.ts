import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { Effects } from 'nest-durable';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { ErasureListener } from './erasure.listener.js';
import { OutsideServices } from './outside-services.js';
import { PeopleService } from './people.service.js';
import { Person } from './person.entity.js';

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error'] });
app.enableShutdownHooks();
const [effects, services, listener] = [app.get(Effects), app.get(OutsideServices), app.get(ErasureListener)];
const people = app.get(DataSource).getRepository(Person);

const id = 'ada';
const email = 'ada@example.org';
await people.save({ id, email, status: 'active' });
for (const name of ['crm', 'payments']) services.people.get(name)?.add(id);
services.people.get('newsletter')?.add(email);

const done = async (count: number) => {
  while ((await effects.statusCounts()).succeeded < count) await pause(50);
};
const status = async () => (await people.findOneByOrFail({ id })).status;

console.log(`${(await app.get(PeopleService).erase(id)).length} calls to make`);
await done(2);
while (listener.abandoned.length === 0) await pause(50);
for (const { handler, error, attempts } of listener.abandoned)
  console.log(`abandoned: ${handler} after ${attempts} attempt, ${error}`);
console.log(`ada is ${await status()}`);

// Somebody has looked at it.
services.hasOpenInvoice = false;
const abandoned = await effects.listAbandoned();
console.log(`requeued: ${(await effects.requeue(abandoned.map(({ entryId }) => entryId))).length}`);
await done(3);
console.log(`ada is ${await status()}`);

const recorded = await effects.auditLog({ operation: 'erase', subject: id });
for (const { type, handler, details } of recorded)
  console.log([type, handler, details['attempts'] && `attempt ${details['attempts']}`].filter(Boolean).join(' '));

await app.close();
