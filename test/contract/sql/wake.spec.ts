import { connect } from 'nats';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { InvalidArgumentError } from '../../../lib/core/errors.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { checkedWake, natsWake, redisWake, type WakeBus } from '../../../lib/sql/wake.js';
import { sqlStoreStorage } from '../../../lib/store/store.sql.js';
import { pubsubOn } from '../conformance/store.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, type OpenStorage, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { startNats } from '../../support/servers/nats.mjs';
import { startRedis } from '../../support/servers/redis.mjs';
import { until } from '../../support/until.js';

/** Nobody looks by himself as long as the test takes. */
const NEVER = 3_600_000;

/** A bus on a server of its own, for two processes. */
interface OpenBus {
  wake: WakeBus;
  close(): Promise<unknown>;
  /** Returns what starts the server again. */
  crash(): Promise<() => Promise<void>>;
}

const BUSES = {
  'node-redis': async (program: string): Promise<OpenBus> => {
    const server = await startRedis(program);
    const client = createClient({ url: `redis://${server.host}:${server.port}` });
    client.on('error', () => undefined);
    await client.connect();
    return { wake: redisWake(client), close: () => client.close().then(() => server.stop()), crash: server.crash };
  },
  ioredis: async (program: string): Promise<OpenBus> => {
    const server = await startRedis(program);
    const client = new Redis({ host: server.host, port: server.port });
    client.on('error', () => undefined);
    return { wake: redisWake(client), close: () => client.quit().then(() => server.stop()), crash: server.crash };
  },
  nats: async (program: string): Promise<OpenBus> => {
    const server = await startNats(program);
    const connection = await connect({ servers: `${server.host}:${server.port}`, reconnectTimeWait: 20 });
    return {
      wake: natsWake(connection),
      close: () => connection.close().then(() => server.stop()),
      crash: server.crash,
    };
  },
};

/** A process on a database, with a bus. What it hears first says that it listens. */
async function processOn(backend: OpenBackend, wake: WakeBus, errors: unknown[] = []): Promise<OpenStorage> {
  const executor = executorOf(backend);
  const notifier = createNotifier(executor, 'durable', (error) => errors.push(error), { wake });
  let listens = false;
  notifier.subscribe('done', () => (listens = true));
  const storage = await sqlStorageOn(executor, { notifier });
  notifier.start();
  await until('it listens', () => listens);
  return storage;
}

describe.each([
  ['ioredis', 'redis-server'],
  ['node-redis', 'redis-server'],
  ['nats', 'nats-server'],
] as const)('processes that %s wakes', (bus, name) => {
  describeWithProgram(name, 'and that never poll,', (program) => {
    describeDatabases('on one database', (at) => {
      let backend: OpenBackend;
      let open: OpenBus;
      let storages: OpenStorage[];
      beforeEach(async () => {
        backend = await at.open();
        open = await BUSES[bus](program);
        storages = [await processOn(backend, open.wake), await processOn(backend, open.wake)];
      });
      afterEach(async () => {
        for (const { notifier } of storages) await notifier!.stop();
        await open.close();
        await backend.close();
      });

      it('play the steps of each other', async () => {
        const [engines, workers] = storages as [OpenStorage, OpenStorage];
        const parts = engineParts(engines, { pollMs: NEVER });
        parts.define(
          'order',
          async (ctx) => (await ctx.remote<number>('add', 1)) + (await ctx.remote<number>('add', 2)),
        );
        const worker = workerOn(workers, { add: (input: number) => input + 1 }, { pollMs: NEVER });
        await parts.start();
        expect(await parts.client.startAndWait('order', null)).toBe(5);
        await worker.stop();
        await parts.stop();
      });

      it('hear messages of each other', async () => {
        const [here, there] = storages.map(({ notifier }) =>
          sqlStoreStorage(executorOf(backend), tablesWithPrefix('durable'), notifier!),
        );
        const heard: unknown[] = [];
        pubsubOn(there!).subscribe('news', (message) => heard.push(message));
        await pubsubOn(here!).publish('news', 'one');
        await until('it is heard', () => heard.includes('one'));
        expect(heard).toEqual(['one']);
      });

      it('hear that messages may be lost when the bus was away, and then those that follow', async () => {
        const [here, there] = storages.map(({ notifier }) =>
          sqlStoreStorage(executorOf(backend), tablesWithPrefix('durable'), notifier!),
        );
        const heard: unknown[] = [];
        pubsubOn(there!).subscribe('news', (message) => heard.push(message));
        const startAgain = await open.crash();
        expect(heard).toEqual([]);
        await startAgain();
        await until('it hears that some may be lost', () => heard.includes(undefined));
        await until('this process sends again', async () => {
          await pubsubOn(here!).publish('news', 'two');
          return heard.includes('two');
        });
      });
    });
  });
});

describe('a bus', () => {
  /** It keeps what is sent, and says what it is asked to. */
  class SlowBus implements WakeBus {
    readonly sent: string[] = [];
    readonly over: AbortSignal[] = [];
    private readonly listeners: ((text: string) => void)[] = [];
    constructor(private readonly down: { publish?: true; listen?: () => Promise<void> } = {}) {}
    async publish(_channel: string, text: string): Promise<void> {
      this.sent.push(text);
      if (this.down.publish) throw new Error('The bus is down');
    }
    async listen(_channel: string, onText: (text: string) => void, over: AbortSignal): Promise<void> {
      this.over.push(over);
      await this.down.listen?.();
      this.listeners.push(onText);
    }
    say(text: string): void {
      for (const listener of this.listeners) listener(text);
    }
  }

  describeDatabases('on', (at) => {
    let backend: OpenBackend;
    beforeAll(async () => {
      backend = await at.open();
    });
    afterAll(() => backend.close());

    it('gets hints, and no outcomes of steps', async () => {
      const bus = new SlowBus();
      const { notifier } = await processOn(backend, bus);
      notifier!.local('results', 'a secret');
      notifier!.local('tasks', 'of a group');
      await until('both were sent', () => bus.sent.length === 2);
      expect(bus.sent.join()).not.toContain('secret');
      expect(bus.sent.join()).toContain('of a group');
      await notifier!.stop();
    });

    it('is believed only that there is something', async () => {
      const bus = new SlowBus();
      const { notifier } = await processOn(backend, bus);
      const heard: unknown[] = [];
      for (const topic of ['results', 'runs']) notifier!.subscribe(topic, (payload) => heard.push(payload));
      bus.say(`another/results ${JSON.stringify(['an outcome that nobody wrote'])}`);
      bus.say(`another/runs ${JSON.stringify([JSON.stringify({ lost: ['a run that nobody has lost'] })])}`);
      bus.say('another/results');
      bus.say('nonsense');
      expect(heard).toEqual([undefined, undefined, undefined]);
      await notifier!.stop();
    });

    it('says once that it is down, and keeps nobody from ending', async () => {
      const errors: unknown[] = [];
      const { notifier } = await processOn(backend, new SlowBus({ publish: true }), errors);
      for (const group of ['a', 'b', 'c']) {
        notifier!.local('tasks', group);
        notifier!.local('runs', group);
      }
      await notifier!.stop();
      expect(errors).toHaveLength(1);
    });

    it('that does not let it listen is asked again, and says so once', async () => {
      const errors: unknown[] = [];
      const bus = new SlowBus({ listen: () => Promise.reject(new Error('The bus is down')) });
      const notifier = createNotifier(executorOf(backend), 'durable', (error) => errors.push(error), { wake: bus });
      notifier.start();
      await until('it was asked again', () => bus.over.length > 2);
      await notifier.stop();
      expect(errors).toHaveLength(1);
      expect(bus.over.every(({ aborted }) => aborted)).toBe(true);
    });

    it('that never answers keeps nobody from ending', async () => {
      const bus = new SlowBus({ listen: () => new Promise(() => undefined) });
      const notifier = createNotifier(executorOf(backend), 'durable', () => undefined, { wake: bus });
      notifier.start();
      await until('it was asked', () => bus.over.length > 0);
      await notifier.stop();
      expect(bus.over.map(({ aborted }) => aborted)).toEqual([true]);
    });

    it('is no reason to leave out processes that have none', async () => {
      const executor = executorOf(backend);
      const notifier = createNotifier(executor, 'durable', () => undefined, { wake: new SlowBus() });
      expect(notifier.statement('runs', '{}') !== undefined).toBe(executor.dialect.canListen);
      await notifier.stop();
    });
  });

  describeWithProgram('redis-server', 'of Redis that is gone', (program) => {
    it('leaves no connection behind that goes on trying', async () => {
      const server = await startRedis(program);
      const client = new Redis({ host: server.host, port: server.port, retryStrategy: () => 20 });
      await until('it is connected', () => client.status === 'ready');
      await server.crash();
      const made: Redis[] = [];
      client.duplicate = () => made[made.push(Redis.prototype.duplicate.call(client) as Redis) - 1]!;
      const over = new AbortController();
      const listening = redisWake(client).listen(
        'a',
        () => undefined,
        over.signal,
        () => undefined,
      );
      over.abort();
      await expect(listening).rejects.toThrow();
      expect(made.map(({ status }) => status)).toEqual(['end']);
      client.disconnect();
      await server.stop();
    });
  });

  it('is refused if it is none', () => {
    for (const make of [redisWake, natsWake, checkedWake] as ((given: never) => unknown)[])
      expect(() => make({} as never)).toThrow(InvalidArgumentError);
    expect(checkedWake(undefined)).toBeUndefined();
  });
});
