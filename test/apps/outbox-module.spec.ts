import type { INestApplicationContext, Type } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { MikroORM } from '@mikro-orm/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import { firstValueFrom, filter, take, toArray } from 'rxjs';
import {
  type ChannelMessage,
  ConfigurationError,
  DurableModule,
  DurableRuntime,
  type EventPublisher,
  memoryBackend,
  OnOutboxMessage,
  Outbox,
  type OutboxEvent,
  type OutboxModuleOptions,
  OutboxOperations,
  OutboxPublisher,
  OutboxRelay,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { inAppTransaction, write } from '../support/app-transactions.js';
import { type Backend, describeDatabases, type OrmName } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

/** What was published, in order, and what is refused. */
const published: OutboxEvent[] = [];
let refused: string | undefined;

@OutboxPublisher({ name: 'broker', attempts: 1 })
class Broker implements EventPublisher {
  async publish(events: readonly OutboxEvent[]): Promise<void> {
    if (events.some(({ name }) => name === refused)) throw new Error('not this one');
    published.push(...events);
  }
}

@Workflow('outbox-module.announce')
class Announce {
  async run(ctx: WorkflowContext, channel: string): Promise<void> {
    await ctx.publish({ channel, name: 'begun', data: { run: ctx.workflowId } });
    await ctx.publish('the end', [{ channel, name: 'ended' }]);
  }
}

@Injectable()
class Counts {
  static orm: OrmName = 'typeorm';
  static failures = 0;

  @OnOutboxMessage('posts:*', { consumer: 'counts' })
  async count({ sequenceId }: OutboxEvent, tx: unknown): Promise<void> {
    if (Counts.failures-- > 0) throw new Error('once more');
    await write(Counts.orm, tx, `INSERT INTO counted VALUES (${sequenceId})`);
  }
}

const LIVE: OutboxModuleOptions = { retain: '1h', debounce: '5ms', pollInterval: '100ms' };

const names = (messages: readonly ChannelMessage[]): string[] =>
  messages.map((message) => (message.type === 'event' ? message.data.name : message.type));

describeDatabases('an app with an outbox', ({ orm, db }: Backend) => {
  let database: FreshDatabase;
  const apps: INestApplicationContext[] = [];

  const boot = async (
    outbox: false | OutboxModuleOptions,
    providers: Type[] = [],
    autoStart = true,
    engine: false | object = false,
  ) => {
    const durable = DurableModule.forRoot({ engine, worker: false, outbox, autoStart });
    const app = await bootApp({ imports: [ormModule(orm, database), durable], providers });
    apps.push(app);
    return app;
  };
  const handleOf = (app: INestApplicationContext): unknown =>
    orm === 'typeorm' ? app.get(getDataSourceToken() as never) : app.get(MikroORM);

  beforeAll(async () => {
    database = await createDatabase(db);
    await database.query('CREATE TABLE posts (title VARCHAR(50))');
    await database.query('CREATE TABLE counted (n BIGINT)');
    Counts.orm = orm;
  });
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
    published.length = 0;
    refused = undefined;
    Counts.failures = 0;
  });
  afterAll(() => database.close());

  it('publishes what commits with its transaction, in order, and applies it once', async () => {
    Counts.failures = 1;
    const app = await boot(LIVE, [Broker, Counts]);
    const outbox = app.get(Outbox);
    await inAppTransaction(orm, handleOf(app), async (tx) => {
      await tx.query(`INSERT INTO posts VALUES ('one')`);
      const events = ['made', 'tagged'].map((name) => ({ channel: 'posts:1', name }));
      await outbox.publish(events, { transaction: tx.handle });
    });
    const rolledBack = inAppTransaction(orm, handleOf(app), async (tx) => {
      await outbox.publish({ channel: 'posts:1', name: 'never' }, { transaction: tx.handle });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const mutationId = await outbox.reject({ channel: 'posts:1', name: 'refused', mutationId: 'm-7' });

    await until('all were published', () => published.length === 3);
    expect(published.map(({ name }) => name)).toEqual(['made', 'tagged', 'refused']);
    expect(published.at(-1)).toMatchObject({ rejected: true, mutationId });
    const counted = await until('all were counted', async () => {
      const rows = await database.query('SELECT n FROM counted ORDER BY n');
      return rows.length === 3 && rows;
    });
    expect(counted.map(({ n }) => String(n))).toEqual(published.map(({ sequenceId }) => sequenceId));
  });

  it('lets channels be followed from a snapshot on', async () => {
    const outbox = (await boot(LIVE, [Broker])).get(Outbox);
    await outbox.publish({ channel: 'posts:2', name: 'before' });
    const read = (handle: unknown) => write(orm, handle, 'SELECT title FROM posts');
    const { data, sequenceId } = await outbox.snapshot('posts:2', read);
    expect(data).toHaveLength(1);
    const messages = firstValueFrom(
      outbox.channel('posts:2', { after: sequenceId }).pipe(
        filter(({ type }) => type !== 'heartbeat'),
        take(2),
        toArray(),
      ),
    );
    await outbox.publish(['behind', 'last'].map((name) => ({ channel: 'posts:2', name })));
    expect(names(await messages)).toEqual(['behind', 'last']);
  });

  it('publishes from a workflow, with the record of the step', async () => {
    const app = await boot(LIVE, [Broker, Announce], true, {});
    const { id } = await app.get(WorkflowClient).start(Announce, 'posts:9');
    await app.get(WorkflowClient).result(id);
    const ours = () => published.filter(({ channel }) => channel === 'posts:9');
    await until('both were published', () => ours().length === 2);
    expect(ours().map(({ name, data }) => [name, data])).toEqual([
      ['begun', { run: id }],
      ['ended', null],
    ]);
  });

  it('says what stands, and lets it go on', async () => {
    refused = 'poison';
    const app = await boot(LIVE, [Broker]);
    const operations = app.get(OutboxOperations);
    await operations.forget('counts').catch(() => undefined);
    await app.get(Outbox).publish(['poison', 'next'].map((name) => ({ channel: 'posts:3', name })));
    const [standing] = await until('it stands', async () => {
      const found = await operations.standing();
      return found.length > 0 && found;
    });
    expect(standing).toMatchObject({ destination: 'broker', channel: 'posts:3', state: 'blocked' });
    // What an app before had not published yet goes out now.
    await until('nothing else is behind', async () => (await operations.lag()).length === 1);
    expect(await operations.lag()).toEqual([{ channel: 'posts:3', pending: 2 }]);
    expect(await operations.skip('posts:3')).toBe(true);
    await until('the next was published', () => published.some(({ name }) => name === 'next'));
    expect(await operations.deadLetters()).toMatchObject([{ name: 'poison', reason: 'skipped' }]);
    refused = undefined;
    expect(await operations.requeue('posts:3')).toBe(1);
    await until('it was published', () => published.some(({ name }) => name === 'poison'));
    expect(await operations.retryAll()).toBe(0);
    await expect(operations.lag({ destination: 'nobody' })).rejects.toMatchObject({ argument: 'destination' });
  });

  it('publishes when told, where the process is no relay', async () => {
    const app = await boot({ ...LIVE, relay: false }, [Broker]);
    await app.get(Outbox).publish({ channel: 'posts:4', name: 'later' });
    const ours = () => published.filter(({ channel }) => channel === 'posts:4');
    expect(ours()).toEqual([]);
    expect(await app.get(OutboxRelay).runOnce()).toBeGreaterThanOrEqual(1);
    expect(ours().map(({ name }) => name)).toEqual(['later']);
    expect(await app.get(OutboxRelay).runOnce()).toBe(0);
  });

  it('says that channels cannot be followed where nothing is retained', async () => {
    const outbox = (await boot({}, [])).get(Outbox);
    expect(() => outbox.channel('posts:1')).toThrow(/outbox\.retain/);
    await expect((async () => outbox.snapshot('posts:1', async () => 1))()).rejects.toThrow(ConfigurationError);
  });

  it('refuses consumers where events are not numbered in order', async () => {
    const runtimeOf = async (providers: Type[]) =>
      (await boot({ ordering: 'none' }, providers, false)).get(DurableRuntime);
    await expect((await runtimeOf([Counts])).start()).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await (await runtimeOf([Broker])).start();
    await (await boot({}, [])).get(DurableRuntime).start();
  });

  it('can be turned off', async () => {
    const app = await boot(false, [Broker]);
    const publishing = app.get(Outbox).publish({ channel: 'posts:1', name: 'lost' });
    await expect(publishing).rejects.toThrow(/outbox: false/);
    await expect(app.get(OutboxRelay).runOnce()).rejects.toThrow(/outbox: false/);
    await expect(app.get(OutboxOperations).destinations()).rejects.toThrow(/outbox: false/);
  });

  it('does not start beside another program that publishes the same table', async () => {
    const expiry =
      db === 'postgres' ? "now() AT TIME ZONE 'utc' + interval '1 hour'" : 'utc_timestamp() + INTERVAL 1 HOUR';
    await database.query(`INSERT INTO durable_outbox_nodes (id, expiry) VALUES ('somebody', ${expiry})`);
    const runtime = (await boot(LIVE, [Broker], false)).get(DurableRuntime);
    await expect(runtime.start()).rejects.toMatchObject({ code: 'OUTBOX_OCCUPIED' });
    await database.query("DELETE FROM durable_outbox_nodes WHERE id = 'somebody'");
    await runtime.start();
  });
});

describe('an app with an outbox in memory', () => {
  it('publishes, retains and applies as on a database', async () => {
    const durable = DurableModule.forRoot({ backend: memoryBackend(), outbox: LIVE });
    const app = await bootApp({ imports: [durable], providers: [Broker, Announce] });
    const outbox = app.get(Outbox);
    const messages = firstValueFrom(outbox.channel('posts:1', { after: '0' }).pipe(take(3), toArray()));
    await outbox.publish(['one', 'two'].map((name) => ({ channel: 'posts:1', name })));
    expect(names(await messages)).toEqual(['heartbeat', 'one', 'two']);
    await until('all were published', () => published.length === 2);
    expect(await outbox.snapshot('posts:1', async () => 'state')).toEqual({ data: 'state', sequenceId: '2' });
    await app.get(WorkflowClient).startAndWait(Announce, 'posts:2');
    await until('a workflow published too', () => published.length === 4);
    await app.close();
    published.length = 0;
  });
});
