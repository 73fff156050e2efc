import 'reflect-metadata';
import { get } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Headers, type INestApplicationContext, type LogLevel, Module, Param, Sse } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Observable } from 'rxjs';
import { DataSource } from 'typeorm';
import { type ChannelMessage, DurableModule, Outbox, type OutboxEvent, OutboxPublisher } from '../../lib/index.js';
import { type Spell, spell } from '../lives.js';
import { cpuMs, preciseNow, serve } from '../serve.js';
import type { Address } from '../server.js';
import { dataSourceOptions } from '../transport/storage.js';

export interface OutboxAppConfig {
  address: Address;
  /** `streams` serves `browsers`, which have no app. */
  role: 'writer' | 'streams' | 'browsers';
  ordering?: 'commit' | 'insert' | 'none';
}

export interface Transactions extends Spell {
  /** Whether each publishes an event, to one channel of so many; 0: none. */
  channels: number;
}

export interface Followed {
  port: number;
  streams: number;
}

/** Rows that the app changes. */
const BALANCES = 64;
const POOL = 40;

let published = 0;

@OutboxPublisher({ name: 'nobody' })
class Nobody {
  async publish(events: readonly OutboxEvent[]): Promise<void> {
    published += events.length;
  }
}

@Controller('channels')
class Channels {
  constructor(private readonly outbox: Outbox) {}

  @Sse(':id')
  follow(@Param('id') id: string, @Headers('last-event-id') after?: string): Observable<ChannelMessage> {
    return this.outbox.channel(`channel:${id}`, { after });
  }
}

async function boot({ address, role, ordering = 'commit' }: OutboxAppConfig): Promise<INestApplicationContext> {
  const serves = role === 'streams';

  @Module({
    imports: [
      TypeOrmModule.forRoot({ ...dataSourceOptions(address), extra: { max: POOL } }),
      DurableModule.forRoot({
        engine: false,
        worker: false,
        effects: false,
        migrate: true,
        outbox: { ordering, relay: serves, ...(serves && { retain: '1h' }) },
      }),
    ],
    providers: serves ? [Nobody] : [],
    controllers: serves ? [Channels] : [],
  })
  class OutboxApp {}

  const quiet = { logger: ['error', 'warn'] satisfies LogLevel[] };
  if (!serves) return NestFactory.createApplicationContext(OutboxApp, quiet);
  const served = await NestFactory.create(OutboxApp, quiet);
  await served.listen(0, '127.0.0.1');
  port = ((served.getHttpServer() as Server).address() as AddressInfo).port;
  return served;
}

let app: INestApplicationContext | undefined;
let port: number | undefined;

async function transaction(n: number, channels: number): Promise<void> {
  const own = app!;
  await own.get(DataSource).transaction(async (tx) => {
    await tx.query(`UPDATE balances SET amount = amount + 1 WHERE id = ${n % BALANCES}`);
    if (channels === 0) return;
    const channel = `channel:${(n * 7_919) % channels}`;
    await own.get(Outbox).publish({ channel, name: 'changed', data: { at: preciseNow() } }, { transaction: tx });
  });
}

/** Milliseconds from the publication of each event to its arrival in a stream of this process. */
let arrivals: number[] = [];

/** Resolves once the stream is open. */
function follow(at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream' };
    const request = get({ host: '127.0.0.1', port: at, path: '/channels/0', headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`The stream answered ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        resolve();
        const now = preciseNow();
        const messages = (text + part).split('\n\n');
        text = messages.pop()!;
        for (const message of messages) {
          const [, sentAt] = /"at":([\d.]+)/.exec(message) ?? [];
          if (sentAt) arrivals.push(now - Number(sentAt));
        }
      });
    });
    request.on('error', reject);
  });
}

serve({
  open: async (config: OutboxAppConfig) => {
    if (config.role === 'browsers') return;
    app = (await boot(config)).enableShutdownHooks();
    const dataSource = app.get(DataSource);
    await dataSource.query('CREATE TABLE IF NOT EXISTS balances (id int PRIMARY KEY, amount int NOT NULL)');
    await dataSource.query(
      `INSERT INTO balances SELECT i, 0 FROM generate_series(0, ${BALANCES - 1}) AS i ON CONFLICT DO NOTHING`,
    );
  },
  cpu: cpuMs,
  transactions: ({ channels, ...during }: Transactions) => {
    let n = 0;
    return spell(() => transaction(n++, channels), during);
  },
  published: () => published,
  port: () => port,
  follow: async ({ port: at, streams }: Followed) => {
    for (let i = 0; i < streams; i++) await follow(at);
  },
  arrivals: () => {
    const all = arrivals;
    arrivals = [];
    return all;
  },
  stop: () => app?.close(),
});
