import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ClientProxy, ClientProxyFactory, EventPattern, Payload, Transport } from '@nestjs/microservices';
import { Redis } from 'ioredis';
import { NonRetryablePublishError } from '../../../lib/core/errors.js';
import { clientProxyPublisher } from '../../../lib/outbox/publishers.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import { describeDatabases } from '../../support/backends.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { anEvent, delivery } from '../../support/outbox-events.js';
import { channelsUpTo, policyOf, RelayHouse } from '../../support/relays.js';
import { startRedis } from '../../support/servers/redis.mjs';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { thrownBy } from '../../support/thrown-by.js';
import { until } from '../../support/until.js';

interface Address {
  host: string;
  port: number;
}

/** Otherwise each connection that could not be made leaves a timer of seconds behind. */
const TIDY = { disconnectTimeout: 20 };
/** Of a client that connects again by itself. */
const PERSISTENT = { retryAttempts: 100_000, retryDelay: 20 };

/** A microservice that listens for the event `changed`. */
async function subscriber({ host, port }: Address): Promise<{ events: OutboxEvent[]; app: INestMicroservice }> {
  const events: OutboxEvent[] = [];

  @Controller()
  class Changes {
    @EventPattern('changed')
    changed(@Payload() event: OutboxEvent): void {
      events.push(event);
    }
  }

  @Module({ controllers: [Changes] })
  class Receiver {}

  const options = { host, port, ...PERSISTENT, ...TIDY };
  const app = await NestFactory.createMicroservice(Receiver, { transport: Transport.REDIS, options, logger: false });
  await app.listen();
  return { events, app };
}

describeWithProgram('redis-server', 'Redis by @nestjs/microservices', (program) => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let events: OutboxEvent[];
  const closers: (() => unknown)[] = [];

  beforeEach(async () => {
    redis = await startRedis(program);
    closers.push(() => redis.stop());
    const { app, events: seen } = await subscriber(redis);
    events = seen;
    closers.push(() => app.close());
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** What an app injects. */
  const clientOf = ({ host, port }: Address, options: object = {}): ClientProxy => {
    const client = ClientProxyFactory.create({
      transport: Transport.REDIS,
      options: { host, port, ...TIDY, ...options },
    });
    // One whose connection is gone says so.
    closers.push(() => Promise.resolve(client.close() as unknown).catch(() => undefined));
    return client;
  };

  /** Asks the server itself. */
  const ask = async <T>(question: (connection: Redis) => Promise<T>): Promise<T> => {
    const connection = new Redis({ host: redis.host, port: redis.port, lazyConnect: true, ...TIDY });
    try {
      await connection.connect();
      return await question(connection);
    } finally {
      connection.disconnect();
    }
  };
  const someoneListens = () =>
    until('somebody listens', () => ask(async (to) => (await to.pubsub('NUMSUB', 'changed'))[1] === 1));

  it('brings events as they are, one after another', async () => {
    const sent = ['9007199254740993', '9007199254740994'].map((id) => anEvent(id, { name: 'changed' }));
    const rich = anEvent('9007199254740995', {
      name: 'changed',
      rejected: true,
      headers: { by: 'me' },
      data: ['Grüße 😀', null, 1.5],
    });
    await clientProxyPublisher(clientOf(redis)).publish([...sent, rich], delivery());
    await until('all have come', () => events.length === 3);
    expect(events).toEqual([...sent, rich]);
  });

  it('takes what nobody listens to', async () => {
    await clientProxyPublisher(clientOf(redis)).publish([anEvent('1', { name: 'unheard' })], delivery());
    expect(events).toEqual([]);
  });

  it.each([
    ['pattern', { pattern: () => undefined }],
    ['payload', { payload: ({ headers }: OutboxEvent) => headers }],
  ])('refuses an event for good that has no %s to emit', async (what, options) => {
    const publishing = clientProxyPublisher(clientOf(redis), options).publish([anEvent('7')], delivery());
    const refusal = await thrownBy(publishing);
    expect(refusal).toBeInstanceOf(NonRetryablePublishError);
    expect(refusal.message).toContain(`event 7 has no ${what}`);
  });

  it.each([
    ['tries to connect again by itself', PERSISTENT],
    ['does not', {}],
  ])('refuses while the server is away, and goes on when it is back, with a client that %s', async (_, options) => {
    const publisher = clientProxyPublisher(clientOf(redis, options));
    const [first, second] = ['1', '2'].map((id) => anEvent(id, { name: 'changed' }));
    await publisher.publish([first!], delivery());
    await until('the first has come', () => events.length === 1);
    const startAgain = await redis.crash();
    for (let time = 0; time < 3; time++) {
      const refusal = await thrownBy(publisher.publish([second!], delivery({ signal: AbortSignal.timeout(30_000) })));
      expect(refusal.message).toMatch(/[Cc]onnection|ECONNREFUSED|max retries/);
    }
    await startAgain();
    await someoneListens();
    const isTaken = async () => {
      try {
        await publisher.publish([second!], delivery({ signal: AbortSignal.timeout(5_000) }));
        return true;
      } catch {
        return false;
      }
    };
    await until('it is taken', isTaken);
    await until('the second has come', () => events.length > 1);
    expect(new Set(events.slice(1).map(({ sequenceId }) => sequenceId))).toEqual(new Set(['2']));
  });

  it('is not waited for when the time is over', async () => {
    const proxy = await startTcpProxy(redis);
    closers.push(() => proxy.close());
    const publisher = clientProxyPublisher(clientOf({ ...redis, port: proxy.port }));
    await publisher.publish([anEvent('1', { name: 'changed' })], delivery());
    proxy.blackHole();
    const timeout = new AbortController();
    const publishing = thrownBy(publisher.publish([anEvent('2')], delivery({ signal: timeout.signal })));
    timeout.abort(new Error('over'));
    expect((await publishing).message).toBe('over');
    proxy.cut();
  });

  describeDatabases(
    'behind relays',
    (at) => {
      let house: RelayHouse;
      beforeAll(async () => {
        house = await RelayHouse.open(at);
      });
      afterEach(() => house.empty());
      afterAll(() => house?.close());

      it('has told its listeners everything in order, though it was killed in between', async () => {
        const proxy = await startTcpProxy(redis);
        closers.push(() => proxy.close());
        const channels = channelsUpTo(12);
        await house.write(channels, 10);
        let failures = 0;
        const policy = policyOf({ attempts: 100_000, backoff: { delay: 20, factor: 1 } });
        for (const options of [{}, PERSISTENT]) {
          const { publish } = clientProxyPublisher(clientOf({ ...redis, port: proxy.port }, options));
          const observer = { failed: () => void failures++ };
          await house.start({ deliver: publish, observer, options: { policy, publishTimeoutMs: 1_000 } });
        }
        await until('some have come', () => events.length > 20);
        proxy.refuse(true);
        proxy.cut();
        // What the server has taken it has handed on once this is there.
        const last = JSON.stringify({ pattern: 'changed', data: anEvent('0', { channel: 'last' }) });
        await ask((to) => to.publish('changed', last));
        await until('what was sent has come', () => events.some(({ channel }) => channel === 'last'));
        const startAgain = await redis.crash();
        await house.write(channels, 5);
        const before = failures;
        await until('they are refused', () => failures > before + 30);
        await startAgain();
        await someoneListens();
        proxy.refuse(false);
        await until('all is acknowledged', async () => (await house.pending()) === 0);
        const heard = (of: string) => events.flatMap(({ channel, sequenceId }) => (channel === of ? sequenceId : []));
        await until('all is heard', () => channels.every((channel) => new Set(heard(channel)).size === 15));
        for (const channel of channels) expect([...new Set(heard(channel))]).toEqual(house.firsts(channel).map(String));
        expect(house.disordered).toEqual([]);
      });
    },
    { only: ({ orm }) => orm === 'typeorm' },
  );
});
