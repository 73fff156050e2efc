import { Redis } from 'ioredis';
import { InvalidArgumentError } from '../../../lib/core/errors.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { redisWake, type WakeBus } from '../../../lib/sql/wake.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, type OpenStorage, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { startRedis } from '../../support/servers/redis.mjs';
import { until } from '../../support/until.js';

/** Nobody looks by himself as long as the test takes. */
const NEVER = 3_600_000;

describeWithProgram('redis-server', 'a bus that wakes', (program) => {
  describeDatabases('processes on', (at) => {
    let redis: Awaited<ReturnType<typeof startRedis>>;
    let client: Redis;
    let backend: OpenBackend;
    const storages: OpenStorage[] = [];
    beforeEach(async () => {
      redis = await startRedis(program);
      client = new Redis({ host: redis.host, port: redis.port });
      backend = await at.open();
    });
    afterEach(async () => {
      for (const { notifier } of storages.splice(0)) await notifier!.stop();
      await client.quit();
      await backend.close();
      await redis.stop();
    });

    /** What it hears first says that it listens. */
    async function process(wake: WakeBus): Promise<OpenStorage> {
      const executor = executorOf(backend);
      const errors: unknown[] = [];
      const notifier = createNotifier(executor, 'durable', (error) => errors.push(error), { wake });
      let hears = false;
      notifier.subscribe('done', () => (hears = true));
      const storage = await sqlStorageOn(executor, { notifier });
      notifier.start();
      await until('it listens', async () => hears);
      storages.push(storage);
      return storage;
    }

    it('plays a step of another process at once', async () => {
      const wake = redisWake(client as never);
      const [engines, workers] = [await process(wake), await process(wake)];
      const parts = engineParts(engines, { pollMs: NEVER });
      parts.define('order', async (ctx) => (await ctx.remote<number>('add', 1)) + (await ctx.remote<number>('add', 2)));
      const worker = workerOn(workers, { add: (input: number) => input + 1 }, { pollMs: NEVER });
      await parts.start();
      expect(await parts.client.startAndWait('order', null)).toBe(5);
      await worker.stop();
      await parts.stop();
    });
  });

  it('is refused if it is none', () => {
    expect(() => redisWake({} as never)).toThrow(InvalidArgumentError);
  });
});
