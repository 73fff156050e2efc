import { MikroORM } from '@mikro-orm/core';
import { type INestApplicationContext, Injectable, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { getDataSourceToken } from '@nestjs/typeorm';
import { runCli } from '../../lib/cli/cli.js';
import {
  DurableDoctor,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  Outbox,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';
import { type AppTransaction, inAppTransaction } from '../support/app-transactions.js';
import { type Backend, describeBackends, describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule, type OrmModuleOptions } from '../support/nest-app.js';
import { thrownBy } from '../support/thrown-by.js';

const approved = new WorkflowSignal<string>('approved');

@Worker({ group: 'stock' })
class Stock {
  @RemoteStep('stock.reserve')
  reserve(item: string): string {
    return `reserved ${item}`;
  }
}

@Injectable()
class Mails {
  @Effect('mail')
  mail(): void {}
}

@Workflow('order')
class Order {
  async run(ctx: WorkflowContext, item: string): Promise<unknown> {
    const reserved = await ctx.remote<string>('stock.reserve', item);
    return [reserved, await ctx.waitForSignal('approval', approved)];
  }
}

type Booting = Pick<INestApplicationContext, 'get'>;

/** Work of the app in one of its hooks. */
const inHook = (
  hook: 'onModuleInit' | 'onApplicationBootstrap',
  work: (app: Booting) => Promise<unknown>,
): Provider => ({
  provide: `in ${hook}`,
  inject: [ModuleRef],
  useFactory: (modules: ModuleRef) => ({
    [hook]: () => work({ get: ((token: never) => modules.get(token, { strict: false })) as Booting['get'] }),
  }),
});

/** Polls so rarely that only a notification can wake it in time; elsewhere nobody can notify it. */
const WOKEN: DurableModuleOptions = { engine: { pollInterval: '10m' }, worker: { pollInterval: '10m' } };

class Shop {
  private readonly apps: INestApplicationContext[] = [];

  private constructor(
    readonly at: Backend,
    readonly database: FreshDatabase,
    /** Another schema of the same database; another database on MySQL and MariaDB. */
    readonly other: string,
    private readonly close: () => Promise<void>,
  ) {}

  static async open(at: Backend): Promise<Shop> {
    const database = await createDatabase(at.db);
    if (at.db === 'postgres') {
      await database.query('CREATE SCHEMA "Other ""one"""');
      return new Shop(at, database, 'Other "one"', () => database.close());
    }
    const second = await createDatabase(at.db);
    return new Shop(at, database, second.database, async () => {
      await second.close();
      await database.close();
    });
  }

  get otherQuoted(): string {
    return this.at.db === 'postgres' ? `"${this.other.replaceAll('"', '""')}"` : `\`${this.other}\``;
  }

  async boot(
    options: DurableModuleOptions = {},
    orm: OrmModuleOptions = {},
    providers: readonly Provider[] = [],
  ): Promise<INestApplicationContext> {
    const app = await bootApp({
      imports: [
        ormModule(this.at.orm, this.database, orm),
        DurableModule.forRoot({ migrate: true, ...(this.at.db === 'postgres' && WOKEN), ...options }),
      ],
      providers: [Order, Stock, Mails, ...providers],
    });
    this.apps.push(app);
    return app;
  }

  /** As the app itself opens one, with the other schema as that of unqualified names. */
  async elsewhere<T>(app: Booting, work: (tx: AppTransaction) => Promise<T>): Promise<T> {
    const handle: unknown = this.at.orm === 'typeorm' ? app.get(getDataSourceToken() as never) : app.get(MikroORM);
    const isPostgres = this.at.db === 'postgres';
    return inAppTransaction(this.at.orm, handle, async (tx) => {
      await tx.query(isPostgres ? `SET LOCAL search_path TO ${this.otherQuoted}` : `USE ${this.otherQuoted}`);
      const done = await work(tx);
      if (!isPostgres) await tx.query(`USE ${this.database.database}`);
      return done;
    });
  }

  /** The schemas that have a table of this name. */
  async schemasOf(table: string): Promise<string[]> {
    const rows = await this.database.query(
      'SELECT table_schema AS at_schema FROM information_schema.tables WHERE table_name = ? ORDER BY 1',
      [table],
    );
    const known = this.at.db === 'postgres' ? ['public', this.other] : [this.database.database, this.other];
    return rows.map((row) => String(row['at_schema'])).filter((name) => known.includes(name));
  }

  get own(): string {
    return this.at.db === 'postgres' ? 'public' : this.database.database;
  }

  async command(...args: string[]): Promise<{ code: number; lines: string[] }> {
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const code = await runCli([...args, '--url', this.database.url], { env: {}, out: say, err: say });
    return { code, lines };
  }

  async end(): Promise<void> {
    for (const app of this.apps) await app.close();
    await this.close();
  }
}

describeDatabases('the schema of our tables', (at) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await Shop.open(at);
  });
  afterEach(() => shop.end());

  /** Starts, publishes and enqueues in a transaction whose unqualified names lead elsewhere. */
  const beginElsewhere = (app: Booting): Promise<void> =>
    shop.elsewhere(app, async ({ handle }) => {
      await app.get(WorkflowClient).start(Order, 'chair', { id: 'one', transaction: handle });
      await app.get(Outbox).publish({ channel: 'orders', name: 'ordered', data: 1 }, { transaction: handle });
      await app
        .get(Effects)
        .enqueue(
          { operation: 'confirm', subject: 'one', calls: [{ handler: 'mail', ref: 1 }] },
          { transaction: handle },
        );
    });

  /** Begins it there, and approves it there. */
  async function orderElsewhere(app: Booting): Promise<void> {
    const client = app.get(WorkflowClient);
    await beginElsewhere(app);
    await shop.elsewhere(app, ({ handle }) =>
      client.signal(approved, 'yes', { workflowId: 'one', transaction: handle }),
    );
    expect(await client.result('one')).toEqual(['reserved chair', 'yes']);
  }

  const countIn = async (schema: string, table: string) => {
    const quoted = schema === shop.other ? shop.otherQuoted : schema;
    return Number((await shop.database.query(`SELECT count(*) AS n FROM ${quoted}.${table}`))[0]!['n']);
  };

  it('is that of the pool, whatever a transaction of the app has set', async () => {
    // Another tenant has tables of the same names.
    expect(await shop.command('migrate', '--schema', shop.other)).toMatchObject({ code: 0 });
    const app = await shop.boot();
    await orderElsewhere(app);
    for (const table of ['durable_runs', 'durable_signals', 'durable_outbox', 'durable_effects'])
      expect([table, await countIn(shop.other, table)]).toEqual([table, 0]);
    for (const table of ['durable_runs', 'durable_outbox', 'durable_effects'])
      expect([table, await countIn(shop.own, table)]).toEqual([table, 1]);
  });

  it.each([{}, { autoStart: false }])('is known to the first hook of the app, with %j', async (options) => {
    expect(await shop.command('migrate')).toMatchObject({ code: 0 });
    expect(await shop.command('migrate', '--schema', shop.other)).toMatchObject({ code: 0 });
    await shop.boot({ migrate: false, ...options }, {}, [inHook('onModuleInit', beginElsewhere)]);
    for (const table of ['durable_runs', 'durable_outbox', 'durable_effects']) {
      expect([table, await countIn(shop.other, table)]).toEqual([table, 0]);
      expect([table, await countIn(shop.own, table)]).toEqual([table, 1]);
    }
  });

  it('has tables before hooks of the app start runs, and nothing runs before the last of them', async () => {
    const seen: unknown[] = [];
    const start = async (app: Booting) => {
      await beginElsewhere(app);
      seen.push(...(await app.get(WorkflowClient).list()).runs.map(({ status }) => status));
    };
    const app = await shop.boot({}, {}, [inHook('onApplicationBootstrap', start)]);
    expect(seen).toEqual(['pending']);
    await app.get(WorkflowClient).signal(approved, 'yes', { workflowId: 'one' });
    expect(await app.get(WorkflowClient).result('one')).toEqual(['reserved chair', 'yes']);
  });

  it('is not decided before hooks of the app have made the tables', async () => {
    const migrating = inHook('onApplicationBootstrap', async () => {
      expect(await shop.command('migrate')).toMatchObject({ code: 0 });
    });
    const app = await shop.boot({ migrate: false }, {}, [migrating]);
    await orderElsewhere(app);
  });

  it('has the tables of events, unless they have names of their own', async () => {
    expect(await shop.command('migrate', '--outbox-table', 'events')).toMatchObject({ code: 0 });
    expect(await shop.command('migrate')).toMatchObject({ code: 0 });
    const { other, own } = shop;
    expect(await shop.command('migrate', '--schema', other, '--outbox-table', 'events')).toMatchObject({ code: 0 });
    expect(await shop.command('migrate', '--schema', other)).toMatchObject({ code: 0 });
    expect(await shop.schemasOf('durable_outbox')).toEqual([own, other].sort());
    expect(await shop.schemasOf('events')).toEqual([own]);
    expect(await shop.command('status', '--schema', other)).toMatchObject({ code: 0 });
    expect(await shop.command('status')).toMatchObject({ code: 0 });
  });

  it('is the one that the option names, for the command line and the doctor, too', async () => {
    const app = await shop.boot({ schema: shop.other });
    await orderElsewhere(app);
    expect(await shop.schemasOf('durable_runs')).toEqual([shop.other]);
    expect(await shop.schemasOf('durable_outbox')).toEqual([shop.other]);
    expect(await shop.schemasOf('durable_effects')).toEqual([shop.other]);
    const { checks } = await app.get(DurableDoctor).examine({ only: ['migrations', 'columns', 'indexes', 'outbox'] });
    expect(checks.map(({ findings }) => findings)).toEqual(checks.map(() => []));
    expect(await shop.command('status', '--schema', shop.other)).toMatchObject({ code: 0 });
    expect(await shop.command('status')).toMatchObject({ code: 1 });
    expect((await shop.command('runs', 'list', '--schema', shop.other)).lines.join('\n')).toContain('one');
    await shop.boot({ schema: shop.other, migrate: false });
  });

  it('is the one of the ORM, unless our tables are where the connection is', async () => {
    await shop.boot({}, { schema: shop.other });
    expect(await shop.schemasOf('durable_runs')).toEqual([shop.other]);
    expect(await shop.schemasOf('durable_outbox')).toEqual([shop.other]);
    const second = await Shop.open(at);
    try {
      await second.command('migrate');
      const app = await second.boot({ migrate: false }, { schema: second.other });
      await app.get(WorkflowClient).start(Order, 'chair', { id: 'found' });
      expect(await second.schemasOf('durable_runs')).toEqual([second.own]);
    } finally {
      await second.end();
    }
  });

  it('is named where tables are missing', async () => {
    const error = await thrownBy(shop.boot({ schema: shop.other, migrate: false }));
    expect(error).toMatchObject({ code: 'SCHEMA_BEHIND' });
    expect((error as Error).message).toContain(`in the schema "${shop.other}"`);
  });
});

describeBackends(
  'a schema of PostgreSQL',
  (at) => {
    let shop: Shop;
    beforeEach(async () => {
      shop = await Shop.open(at);
    });
    afterEach(() => shop.end());

    it('is found behind another one on the search path', async () => {
      await shop.command('migrate');
      const { query, database } = shop.database;
      await query(`ALTER DATABASE ${database} SET search_path = "Other ""one""", public`);
      const app = await shop.boot({ migrate: false });
      const client = app.get(WorkflowClient);
      await client.start(Order, 'table', { id: 'behind' });
      await client.signal(approved, 'yes', { workflowId: 'behind' });
      expect(await client.result('behind')).toEqual(['reserved table', 'yes']);
      expect(await shop.schemasOf('durable_runs')).toEqual(['public']);
    });

    // MikroORM itself says `public` on PostgreSQL.
    const ofConnection = at.orm === 'typeorm' ? it : it.skip;
    ofConnection('may be made by a hook of the app, if there are no tables yet', async () => {
      const { query, database } = shop.database;
      await query(`ALTER DATABASE ${database} SET search_path = later, public`);
      await shop.boot({}, {}, [inHook('onModuleInit', () => query('CREATE SCHEMA later'))]);
      const rows = await query(
        `SELECT table_schema AS at_schema FROM information_schema.tables WHERE table_name = 'durable_runs'`,
      );
      expect(rows.map((row) => row['at_schema'])).toEqual(['later']);
    });

    it('is made by a migration that finds none', async () => {
      await shop.boot({ schema: 'New one' });
      const rows = await shop.database.query(
        `SELECT table_schema AS at_schema FROM information_schema.tables WHERE table_name IN ('durable_runs', 'durable_outbox')`,
      );
      expect(rows.map((row) => row['at_schema'])).toEqual(['New one', 'New one']);
    });
  },
  { only: ({ db }) => db === 'postgres' },
);
