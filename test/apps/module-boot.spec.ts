import {
  type DynamicModule,
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  type ModuleMetadata,
  Scope,
} from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import {
  ConfigurationError,
  DurableModule,
  type DurableModuleAsyncOptions,
  type DurableModuleOptions,
  driverExecutor,
  DurableRuntime,
  Effects,
  Outbox,
  RemoteStep,
  SchemaError,
  typeOrmExecutor,
  UnknownEffectHandlerError,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

@Workflow('hello')
class Hello {
  async run(ctx: WorkflowContext, name: string): Promise<string> {
    return ctx.step('greet', () => `hello ${name}`);
  }
}

describe('How the module starts', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await createDatabase('postgres');
  });
  afterAll(() => database.close());

  /** Boots, and closes whatever came up. */
  async function tryOut(
    durable: Promise<DynamicModule>,
    { imports = [], providers = [] }: Pick<ModuleMetadata, 'imports' | 'providers'> = {},
  ): Promise<void> {
    const app = await bootApp({ imports: [...imports, durable], providers: [Hello, ...providers] });
    try {
      await expect(app.get(WorkflowClient).startAndWait(Hello, 'you', { timeout: '120s' })).resolves.toBe('hello you');
    } finally {
      await app.close();
    }
  }
  const boot = (options: DurableModuleOptions, parts: Parameters<typeof tryOut>[1] = {}) =>
    tryOut(DurableModule.forRoot(options), { imports: [ormModule('typeorm', database)], ...parts });
  const bootAsync = (options: DurableModuleAsyncOptions, imports = [ormModule('typeorm', database)]) =>
    tryOut(DurableModule.forRootAsync(options), { imports });

  describe('the connection', () => {
    it('is needed', async () => {
      const booting = boot({}, { imports: [] });
      await expect(booting).rejects.toBeInstanceOf(ConfigurationError);
      await expect(boot({}, { imports: [] })).rejects.toThrow(/found no ORM.*TypeOrmModule.*MikroOrmModule.*executor/);
    });

    it('is chosen by orm where there are two', async () => {
      const imports = [ormModule('typeorm', database), ormModule('mikro-orm', database)];
      await expect(boot({}, { imports })).rejects.toThrow(/orm: 'typeorm' or orm: 'mikro-orm'/);
      await boot({ orm: 'mikro-orm' }, { imports });
      await tryOut(DurableModule.forRootAsync({ useFactory: () => ({ orm: 'typeorm' }) }), { imports });
    });

    it.each(['typeorm', 'mikro-orm'] as const)('is chosen by its name: %s', async (orm) => {
      const imports = [ormModule(orm, database, { name: 'orders' })];
      await boot({ connection: 'orders' }, { imports });
      await expect(boot({ connection: 'order' }, { imports })).rejects.toThrow(/"order".*The app has "orders"/);
      await expect(boot({}, { imports })).rejects.toThrow(/"orders".*connection/);
    });

    it('is named beside an async factory', async () => {
      const imports = [ormModule('typeorm', database, { name: 'orders' })];
      await bootAsync({ connection: 'orders', useFactory: () => ({}) }, imports);
      await expect(bootAsync({ useFactory: () => ({ connection: 'orders' }) }, imports)).rejects.toThrow(
        /forRootAsync\(\{ connection: 'orders'/,
      );
    });

    it('serves what an async factory says of the outbox and of effects', async () => {
      const useFactory = async () => ({
        prefix: 'later',
        outbox: { table: 'later_events' },
        effects: { remoteHandlers: ['elsewhere'] },
      });
      const imports = [ormModule('typeorm', database), DurableModule.forRootAsync({ useFactory })];
      const app = await bootApp({ imports });
      try {
        const effects = app.get(Effects);
        const enqueue = (handler: string) =>
          effects.enqueue({ operation: 'erase', subject: 'ada', calls: [{ handler, ref: 1 }] });
        await expect(enqueue('elsewhere')).resolves.toHaveLength(1);
        await expect(enqueue('nowhere')).rejects.toThrow(UnknownEffectHandlerError);
        expect(await effects.statusCounts()).toMatchObject({ pending: 1 });
        await app
          .get<DataSource>(getDataSourceToken() as never)
          .transaction((transaction) => app.get(Outbox).publish({ channel: 'a', name: 'e' }, { transaction }));
        expect(await database.query('SELECT name FROM later_events')).toEqual([{ name: 'e' }]);
      } finally {
        await app.close();
      }
    });

    it('may be an executor', async () => {
      const { host, port, user, password } = database;
      const pool = new pg.Pool({ host, port, user, password, database: database.database });
      await boot({ executor: driverExecutor(pool) }, { imports: [] });
      await pool.end();
      const executor = {
        inject: [getDataSourceToken() as never],
        useFactory: (db: object) => ({ executor: typeOrmExecutor(db) }),
      };
      await bootAsync(executor);
    });

    it('must be of a supported database', async () => {
      const unsupported = { driver: {}, options: { type: 'sqlite' }, createQueryRunner: () => undefined };
      const token = getDataSourceToken() as never;
      @Global()
      @Module({ providers: [{ provide: token, useValue: unsupported }], exports: [token] })
      class Sqlite {}
      await expect(boot({}, { imports: [Sqlite] })).rejects.toThrow(/sqlite.*postgres, mysql or mariadb/);
    });
  });

  describe('asynchronous options', () => {
    @Injectable()
    class Options {
      createDurableOptions(): DurableModuleOptions {
        return { prefix: 'by_class' };
      }
    }
    @Global()
    @Module({ providers: [Options], exports: [Options] })
    class OptionsModule {}

    it('come from a factory, a class or a provider', async () => {
      await bootAsync({ useClass: Options });
      await bootAsync({ imports: [OptionsModule], useExisting: Options });
      const useFactory = (options: Options) => options.createDurableOptions();
      await bootAsync({ imports: [OptionsModule], inject: [Options], useFactory });
      const [{ count } = {}] = await database.query('SELECT count(*) AS count FROM by_class_runs');
      expect(Number(count)).toBe(3);
    });

    it('are checked as well', async () => {
      await expect(bootAsync({ useFactory: () => ({ prefix: 'a-b' }) })).rejects.toMatchObject({ argument: 'prefix' });
      expect(() => DurableModule.forRootAsync({})).toThrow(ConfigurationError);
    });
  });

  describe('the tables', () => {
    const { NODE_ENV } = process.env;
    afterEach(() => {
      process.env['NODE_ENV'] = NODE_ENV;
    });

    it('must be up to date in production, and the error says how', async () => {
      process.env['NODE_ENV'] = 'production';
      const booting = boot({ prefix: 'prod' });
      await expect(booting).rejects.toBeInstanceOf(SchemaError);
      await expect(boot({ prefix: 'prod' })).rejects.toThrow(
        /npx nest-durable migrate.*npx nest-durable sql.*migrate: true/,
      );
      await expect(database.query("SELECT tablename FROM pg_tables WHERE tablename LIKE 'prod%'")).resolves.toEqual([]);
      await boot({ prefix: 'prod', migrate: true });
      await boot({ prefix: 'prod' });
    });
  });

  it('says so when nothing would tell it to stop', async () => {
    const { NODE_ENV } = process.env;
    process.env['NODE_ENV'] = 'development';
    const warned: string[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: string) => void warned.push(line));
    const parts = { imports: [ormModule('typeorm', database), DurableModule.forRoot()] };
    const app = await bootApp(parts);
    expect(process.listenerCount('SIGTERM')).toBe(0);
    await until('it says so', () => warned.some((line) => line.includes('enableShutdownHooks')));
    await app.close();
    warn.mockRestore();
    process.env['NODE_ENV'] = NODE_ENV;
  });

  it('leaves nothing running when it fails', async () => {
    const listening = async () => {
      const [{ count } = {}] = await database.query(
        "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = ? AND query LIKE '%LISTEN%' AND pid <> pg_backend_pid()",
        [database.database],
      );
      return Number(count);
    };
    await until('nobody listens', async () => (await listening()) === 0);
    const parts = {
      imports: [ormModule('typeorm', database), DurableModule.forRoot({ prefix: 'broken' })],
      providers: [Hello],
    };
    const app = await bootApp(parts);
    await until('the app listens', async () => (await listening()) > 0);
    await app.close();
    await until('nobody listens any more', async () => (await listening()) === 0);
    await database.query('ALTER TABLE broken_nodes RENAME TO away_nodes');

    const again = await bootApp({
      imports: [ormModule('typeorm', database), DurableModule.forRoot({ prefix: 'broken', autoStart: false })],
      providers: [Hello],
    });
    const runtime = again.get(DurableRuntime);
    await expect(runtime.start()).rejects.toMatchObject({ code: 'MISSING_TABLE' });
    // Whoever waits for a result listens, if anything still runs that could.
    const { id, result } = await again.get(WorkflowClient).start(Hello, 'you');
    await expect(result({ timeout: '300ms' })).rejects.toMatchObject({ code: 'RESULT_TIMEOUT' });
    expect(await listening()).toBe(0);

    await database.query('ALTER TABLE away_nodes RENAME TO broken_nodes');
    await runtime.start();
    await expect(again.get(WorkflowClient).result(id, { timeout: '120s' })).resolves.toBe('hello you');
    await again.close();
  });

  describe('a database that is away', () => {
    /** One that nobody listens on, and that nobody is given who asks for a free one. */
    const CLOSED_PORT = 1;
    const awayPool = () => {
      const { host, user, password } = database;
      return new pg.Pool({ host, port: CLOSED_PORT, user, password, database: database.database });
    };

    it('is waited for', async () => {
      const pool = awayPool();
      const warned: string[] = [];
      const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: string) => void warned.push(line));
      const booting = boot({ executor: driverExecutor(pool), prefix: 'late' }, { imports: [] });
      await until('it says so', () => warned.some((line) => /database is unavailable.*ECONNREFUSED/.test(line)));
      warn.mockRestore();
      pool.options.port = database.port;
      await booting;
      await pool.end();
    });

    it('is waited for no longer once the app stops', async () => {
      const pool = awayPool();
      const parts = { imports: [DurableModule.forRoot({ executor: driverExecutor(pool), autoStart: false })] };
      const app = await bootApp(parts);
      const starting = app.get(DurableRuntime).start();
      await Promise.all([expect(starting).rejects.toMatchObject({ transient: true }), app.close()]);
      await pool.end();
    });
  });

  describe('what it refuses', () => {
    @Workflow('hello')
    class OtherHello extends Hello {}

    @Injectable()
    class First {
      @RemoteStep('same.name')
      one(): void {}
    }
    @Injectable()
    class Second {
      @RemoteStep('same.name')
      two(): void {}
    }
    @Module({ providers: [First] })
    class TwiceModule {}

    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {}
    @Worker()
    class NeedsRequest {
      constructor(@Inject(PerRequest) readonly request: PerRequest) {}

      @RemoteStep('needs.request')
      step(): void {}
    }
    @Workflow('transient')
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient extends Hello {}

    const noRun = class NoRun {
      readonly nothing = 0;
    };
    Workflow('no.run')(noRun as never);

    it.each([
      ['two classes of one workflow', [OtherHello], /"hello" version 1.*Hello.*OtherHello/],
      ['two handlers of one step', [First, Second], /"same.name".*First.one.*Second.two/],
      ['a request-scoped dependency', [NeedsRequest, PerRequest], /NeedsRequest is request-scoped.*singleton/],
      ['a transient class', [Transient], /Transient is transient.*singleton/],
      ['a workflow without run', [noRun], /NoRun.*no method run/],
    ])('%s', async (_, providers, message) => {
      await expect(boot({}, { providers })).rejects.toThrow(message);
      await expect(boot({}, { providers })).rejects.toBeInstanceOf(ConfigurationError);
    });

    it('one class in two modules', async () => {
      const imports = [ormModule('typeorm', database), TwiceModule];
      await expect(boot({}, { imports, providers: [First] })).rejects.toThrow(/First.one exists twice.*one module/);
    });
  });

  it('takes a class once that has two tokens, and what a test has put in its place', async () => {
    @Workflow('aliased')
    class Aliased {
      async run(ctx: WorkflowContext): Promise<unknown> {
        return ctx.remote('aliased.step', 1);
      }
    }
    @Injectable()
    class Steps {
      @RemoteStep('aliased.step')
      step(n: number): string {
        return `real ${n}`;
      }
    }
    const app = await bootApp({
      imports: [ormModule('typeorm', database), DurableModule.forRoot()],
      providers: [
        Aliased,
        { provide: 'alias', useExisting: Aliased },
        { provide: Steps, useValue: { step: (n: number) => `fake ${n}` } },
      ],
    });
    await expect(app.get(WorkflowClient).startAndWait(Aliased, undefined, { timeout: '120s' })).resolves.toBe('fake 1');
    await app.close();
  });
});
