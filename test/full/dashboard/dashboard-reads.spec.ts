import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { fill } from '../../../bench/operating/fill.js';
import { questions } from '../../../bench/operating/questions.js';
import type { RunCounts } from '../../../lib/operate/operator-runs.js';
import type { Overview } from '../../../lib/operate/overview.js';
import { DurableModule } from '../../../lib/index.js';
import { DurableDashboardModule } from '../../../lib/dashboard/index.js';
import { describeDatabases } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { ormModule } from '../../support/nest-app.js';

const AMOUNTS = { runs: 8_000, tasks: 800, events: 400, others: 400 };

/** The benchmark asks the same of a million runs. */
describeDatabases('everything that the dashboard asks, of tables with something of each kind', ({ db, orm }) => {
  let database: FreshDatabase | undefined;
  let app: INestApplication | undefined;
  let url: string;
  beforeAll(async () => {
    database = await createDatabase(db);
    const outbox = { relay: false } as const;
    @Module({
      imports: [
        ormModule(orm, database, { poolMax: 5 }),
        DurableModule.forRoot({ orm, engine: false, worker: false, outbox }),
        DurableDashboardModule.forRoot(),
      ],
    })
    class App {}
    app = await NestFactory.create(App, { logger: ['error', 'warn'] });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}/durable/api`;
    await fill((text) => database!.query(text), AMOUNTS);
  });
  afterAll(async () => {
    await app?.close();
    await database?.close();
  });

  const ask = async <T>(address: string): Promise<T> => {
    const answer = await fetch(`${url}/${address}`, { headers: { 'sec-fetch-site': 'same-origin' } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };

  it('is answered', async () => {
    const asked = questions();
    for (const { address } of asked) await ask(address);
    expect(asked.length).toBeGreaterThan(500);
  });

  it('has something of each kind', async () => {
    const { byStatus } = await ask<RunCounts>('runs/counts');
    const kinds = ['pending', 'running', 'suspended', 'completed', 'failed', 'cancelled', 'compensation_failed'];
    expect(Object.keys(byStatus).sort()).toEqual(kinds.sort());
    const overview = await ask<Overview>('overview');
    expect(overview.unanswered).toEqual([]);
    const { blocked, due, unserved, outbox, effects, lateSchedules } = overview;
    for (const some of [blocked, due, unserved, outbox, lateSchedules]) expect(some).not.toEqual([]);
    expect(effects.abandoned).toBe(AMOUNTS.others / 10);
  });
});
