import { Injectable } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { getDataSourceToken } from '@nestjs/typeorm';
import {
  type Codec,
  ConfigurationError,
  DbTransport,
  DurableEvents,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  InvalidTransactionError,
  jsonCodec,
  memoryBackend,
  Outbox,
  RemoteStep,
  typeOrmExecutor,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { createTestingDurable } from '../../lib/testing/index.js';
import { byText, type DriverPool, poolOn } from '../support/driver-pools.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { servers } from '../support/test-servers.js';
import { until } from '../support/until.js';

@Injectable()
@Worker()
class Shouts {
  @RemoteStep('shout')
  shout(text: string): string {
    return text.toUpperCase();
  }
}

@Workflow('loud')
class Loud {
  async run(ctx: WorkflowContext, text: string): Promise<string> {
    return `${await ctx.remote('shout', text)}${await ctx.remote('outside.mark', text)}`;
  }
}

@Injectable()
class Calls {
  readonly made: unknown[] = [];

  @Effect('call')
  call(ref: unknown): void {
    this.made.push(ref);
  }
}

const boot = (options: DurableModuleOptions, imports: object[] = []) =>
  bootApp({ imports: [...(imports as never[]), DurableModule.forRoot(options)], providers: [Loud, Shouts, Calls] });

const countOf = async (database: FreshDatabase, table: string): Promise<number> =>
  Number((await database.query(`SELECT count(*) AS n FROM ${table}`))[0]?.['n']);

describe.each(servers)('DbTransport in an app [$db]', ({ db }) => {
  let database: FreshDatabase;
  let pool: DriverPool;
  beforeAll(async () => {
    database = await createDatabase(db);
    pool = poolOn(database);
  });
  afterAll(async () => {
    await pool.end();
    await database.close();
  });

  it('is what the module uses: an instance with the executor and the prefix that it was given', async () => {
    const transport = new DbTransport({ executor: pool.executor, prefix: 'given' });
    const app = await boot({ transport });
    try {
      expect(app.get(DbTransport)).toBe(transport);
      const told: string[] = [];
      app
        .get(DurableEvents)
        .on('task.completed')
        .subscribe(({ name }) => told.push(name));
      transport.handle('outside.mark', () => '!');
      const client = app.get(WorkflowClient);
      await expect(client.startAndWait(Loud, 'a', { timeout: '120s' })).resolves.toBe('A!');
      expect(await countOf(database, 'given_runs')).toBe(1);
      await until('the app is told of both', () => told.length === 2);
      expect(told.sort()).toEqual(['outside.mark', 'shout']);
    } finally {
      await app.close();
    }
    // It is closed with the app.
    expect(() => transport.handle('another', () => 1)).toThrow(ConfigurationError);
    await expect(boot({ transport })).rejects.toThrow(/closed: create a new one/);
  });

  it("joins transactions that the app has begun by itself on the pool's clients", async () => {
    const transport = new DbTransport({ executor: pool.executor, prefix: 'joined' });
    const app = await boot({ transport });
    const [client, outbox, effects] = [app.get(WorkflowClient), app.get(Outbox), app.get(Effects)];
    try {
      transport.handle('outside.mark', () => '?');
      const write = async (transaction: unknown, id: string) => {
        await client.start(Loud, id, { id, transaction });
        await outbox.publish({ channel: 'c', name: id }, { transaction });
        await effects.enqueue(
          { operation: 'tell', subject: id, calls: [{ handler: 'call', ref: id }] },
          { transaction },
        );
        await transport.dispatch({ runId: `foreign-${id}`, seq: 0, name: 'never.served' }, transaction);
      };
      const undone = byText(pool.connect, async (transaction) => {
        await write(transaction, 'undone');
        throw new Error('mine');
      });
      await expect(undone).rejects.toThrow('mine');
      await byText(pool.connect, (transaction) => write(transaction, 'kept'));
      await expect(client.result('kept', { timeout: '120s' })).resolves.toBe('KEPT?');
      await until('the call is made', () => app.get(Calls).made.length > 0);
      expect(app.get(Calls).made).toEqual(['kept']);
      expect((await database.query('SELECT name FROM joined_outbox')).map(({ name }) => name)).toEqual(['kept']);
      const tasks = await database.query('SELECT run_id FROM joined_transport_tasks');
      expect(tasks.map(({ run_id }) => run_id)).toEqual(['foreign-kept']);
      const idle = await pool.connect();
      await expect(client.start(Loud, 'x', { transaction: idle })).rejects.toBeInstanceOf(InvalidTransactionError);
      idle.release();
    } finally {
      await app.close();
    }
  });
});

describe('DbTransport of an app', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await createDatabase('postgres');
  });
  afterAll(() => database.close());

  it('is made by the module on the connection of the ORM, and can be injected', async () => {
    const app = await boot({ prefix: 'made' }, [ormModule('typeorm', database) as object]);
    try {
      const transport = app.get(DbTransport);
      const told: string[] = [];
      transport.telemetry.on('task.completed', ({ name }) => told.push(name));
      transport.handle('outside.mark', () => '.');
      await expect(app.get(WorkflowClient).startAndWait(Loud, 'b', { timeout: '120s' })).resolves.toBe('B.');
      await until('both steps are told of', () => told.length === 2);
      expect(told.sort()).toEqual(['outside.mark', 'shout']);
      await app
        .get<{ transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> }>(
          getDataSourceToken() as never,
        )
        .transaction((manager) => transport.dispatch({ runId: 'foreign', seq: 0, name: 'never.served' }, manager));
      expect(await countOf(database, 'made_transport_tasks')).toBe(1);
      expect(() => transport.onResult(() => undefined)).toThrow(/one of two/);
    } finally {
      await app.close();
    }
  });

  it('has the codec of the app for its handlers, which are registered once that has started', async () => {
    const codec: Codec = {
      encode: (value) => JSON.stringify({ kept: jsonCodec.encode(value) }),
      decode: (text) => jsonCodec.decode((JSON.parse(text) as { kept: string }).kept),
    };
    const app = await boot({ prefix: 'coded', codec }, [ormModule('typeorm', database) as object]);
    try {
      const inputs: unknown[] = [];
      app.get(DbTransport).handle('outside.mark', (input) => {
        inputs.push(input);
        return '!';
      });
      await expect(app.get(WorkflowClient).startAndWait(Loud, 'e', { timeout: '120s' })).resolves.toBe('E!');
      expect(inputs).toEqual(['e']);
      const [step] = await database.query("SELECT output FROM coded_steps WHERE name = 'outside.mark'");
      expect(codec.decode(String(step?.['output']))).toBe('!');
    } finally {
      await app.close();
    }
    const pool = poolOn(database);
    const early = new DbTransport({ executor: pool.executor, prefix: 'early' });
    early.handle('outside.mark', () => '!');
    await expect(boot({ transport: early })).rejects.toThrow(/before the app was made/);
    await early.close();
    await pool.end();
  });

  it('begins and writes nothing in an app that is only examined', async () => {
    const pool = poolOn(database);
    const transport = new DbTransport({ executor: pool.executor, prefix: 'examined' });
    const limits = { payloadBytes: 1_000 };
    const owner = { telemetry: transport.telemetry, codec: jsonCodec, errors: {}, limits };
    transport.forEngine({ ...owner, starts: false, writes: false });
    transport.handle('outside.mark', () => '!');
    expect(transport['worker']).toBeUndefined();
    await expect(transport.dispatch({ runId: 'r', seq: 0, name: 'n' })).rejects.toThrow(/check" writes nothing/);
    await transport.close();
    await pool.end();
  });

  it('is not given beside another connection, nor with a listener of its own', async () => {
    const pool = poolOn(database);
    const transport = new DbTransport({ executor: pool.executor, autoCreate: false });
    for (const twice of [
      { prefix: 'b' },
      { executor: pool.executor },
      { backend: memoryBackend() },
      { sessions: 'app' },
    ])
      expect(() => DurableModule.forRoot({ transport, ...twice } as DurableModuleOptions)).toThrow(
        /beside a DbTransport/,
      );
    transport.onResult(() => undefined);
    await expect(boot({ transport })).rejects.toThrow(/one of two/);
    await transport.close();
    await pool.end();
  });

  it('refuses to be used in an app without a database, and says why', async () => {
    const app = await boot({ backend: memoryBackend() });
    const transport = app.get(DbTransport);
    expect(transport).toBeInstanceOf(DbTransport);
    // As libraries look for methods that are decorated.
    for (const name of new MetadataScanner().getAllMethodNames(DbTransport.prototype))
      expect(transport[name as keyof DbTransport]).toEqual(expect.any(Function));
    expect(() => transport.handle('outside.mark', () => '!')).toThrow(/no DbTransport, since its tasks are in memory/);
    await app.close();
  });

  it('is left out in a test of the app, which needs no database', async () => {
    const pool = poolOn(database);
    const transport = new DbTransport({ executor: pool.executor, prefix: 'tested' });
    @Injectable()
    @Worker()
    class Marks {
      @RemoteStep('outside.mark')
      mark(): string {
        return '*';
      }
    }
    const durable = await createTestingDurable({
      imports: [DurableModule.forRoot({ transport })],
      workflows: [Loud],
      providers: [Shouts, Marks],
    });
    expect(await durable.client.startAndWait(Loud, 'd')).toBe('D*');
    await durable.close();
    await transport.close();
    await pool.end();
  });

  it('takes an executor that is made from providers of the app', async () => {
    const durable = DurableModule.forRootAsync({
      inject: [getDataSourceToken() as never],
      useFactory: (db: object) => ({ transport: new DbTransport({ executor: typeOrmExecutor(db), prefix: 'later' }) }),
    });
    const app = await bootApp({ imports: [ormModule('typeorm', database), durable], providers: [Loud, Shouts, Calls] });
    try {
      app.get(DbTransport).handle('outside.mark', () => '');
      await expect(app.get(WorkflowClient).startAndWait(Loud, 'c', { timeout: '120s' })).resolves.toBe('C');
    } finally {
      await app.close();
    }
    expect(await countOf(database, 'later_runs')).toBe(1);
  });
});
